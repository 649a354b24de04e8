# SPDX-License-Identifier: BSD-3-Clause
# Warnings for our own sources (errors in the presets), sanitizers for everything, and ccache where there is one.

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
	set_property(CACHE CMAKE_BUILD_TYPE PROPERTY VALUE RelWithDebInfo)
endif()

# Linked by every target that we wrote.
add_library(cmt_warnings INTERFACE)
target_compile_options(cmt_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes
	-Wmissing-prototypes -Wpointer-arith -Wundef -Wvla)

if(CMT_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
	# Instrumentation hides value ranges from gcc, which then sees truncation and uninitialised reads where there are
	# none. The builds without sanitizers keep these warnings.
	target_compile_options(cmt_warnings INTERFACE -Wno-format-truncation -Wno-maybe-uninitialized
		-Wno-stringop-overflow)
endif()

# Upstream's sources are compiled as they are; its warnings are not ours to cure.
add_library(cmt_upstream_warnings INTERFACE)
target_compile_options(cmt_upstream_warnings INTERFACE -w)
if(CMT_SANITIZE)
	# Simulations are as fast as with -O1 below, which takes half as long again to compile. So in apps/.
	target_compile_options(cmt_upstream_warnings INTERFACE -Og)
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
	set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE}")
endif()

if(CMT_SANITIZE)
	# -O1 keeps simulated transfers fast enough for ./check; the frame pointer and line numbers keep reports readable, what
	# a debugger would want beside them takes a quarter of the compiler's time.
	add_compile_options(-fsanitize=${CMT_SANITIZE} -fno-omit-frame-pointer -O1 -g1)
	add_link_options(-fsanitize=${CMT_SANITIZE})
	if(CMT_SANITIZE MATCHES "undefined")
		add_compile_options(-fno-sanitize-recover=undefined)
		add_link_options(-fno-sanitize-recover=undefined)
	endif()
endif()

if(CMT_BUILD_FUZZERS)
	if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
		message(FATAL_ERROR "libFuzzer needs clang: cmake --preset fuzz, or -DCMAKE_C_COMPILER=clang")
	endif()
	# Many inputs rather than long reports: undefined behaviour traps, the stack trace says where. Compared values help
	# little where a mutator knows the format, and take a third of the time; so do the stack's depth and who calls whom.
	add_compile_options(-O2 -fsanitize-trap=undefined -fsanitize=fuzzer-no-link
		-fno-sanitize-coverage=trace-cmp,indirect-calls,stack-depth)
endif()
