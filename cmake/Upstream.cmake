# SPDX-License-Identifier: BSD-3-Clause
# At configure time: fetches, verifies and unpacks the pinned release into the build tree, and applies hooks and fixes
# to a copy. Sets
#   UPSTREAM_PRISTINE, UPSTREAM_PATCHED   the two trees; each has usrsctplib/
#   UPSTREAM_SOURCES                      upstream's own list of library sources, relative to usrsctplib/
#   UPSTREAM_INCLUDE                      a folder with usrsctp.h alone, for everything outside of the stack
# and the interface target upstream_definitions with the definitions that upstream's build would make.

set(UPSTREAM_PRISTINE "${CMAKE_BINARY_DIR}/upstream/pristine")
set(UPSTREAM_PATCHED "${CMAKE_BINARY_DIR}/upstream/patched")
set(UPSTREAM_INCLUDE "${CMAKE_BINARY_DIR}/upstream/include")
set(UPSTREAM_TOOLS "${PROJECT_SOURCE_DIR}/usrsctp-cmt/upstream")

find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(cmt_run_upstream_tool what)
	execute_process(COMMAND "${Python3_EXECUTABLE}" ${ARGN} RESULT_VARIABLE result)
	if(NOT result EQUAL 0)
		message(FATAL_ERROR "${what} failed; see the message above")
	endif()
endfunction()

set(fetch_arguments --dst "${UPSTREAM_PRISTINE}")
if(USRSCTP_TARBALL)
	list(APPEND fetch_arguments --tarball "${USRSCTP_TARBALL}")
endif()
if(USRSCTP_SOURCE_DIR)
	list(APPEND fetch_arguments --source-dir "${USRSCTP_SOURCE_DIR}")
endif()
if(USRSCTP_ALLOW_OTHER)
	list(APPEND fetch_arguments --allow-other)
endif()
cmt_run_upstream_tool("Getting usrsctp" "${UPSTREAM_TOOLS}/fetch" ${fetch_arguments})

file(GLOB UPSTREAM_HOOKS CONFIGURE_DEPENDS "${UPSTREAM_TOOLS}/hooks/*.manifest")
file(GLOB UPSTREAM_FIXES CONFIGURE_DEPENDS "${UPSTREAM_TOOLS}/fixes/*.manifest")
set(UPSTREAM_MANIFESTS ${UPSTREAM_HOOKS} ${UPSTREAM_FIXES})
cmt_run_upstream_tool("Applying hooks and fixes" "${UPSTREAM_TOOLS}/hooks.py" apply
	--src "${UPSTREAM_PRISTINE}" --dst "${UPSTREAM_PATCHED}" ${UPSTREAM_MANIFESTS})
file(GLOB tool_sources CONFIGURE_DEPENDS "${UPSTREAM_TOOLS}/hooktool/*.py")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
	${UPSTREAM_MANIFESTS} ${tool_sources} "${UPSTREAM_TOOLS}/hooks.py" "${UPSTREAM_TOOLS}/fetch"
	"${UPSTREAM_TOOLS}/debian_source.py" "${UPSTREAM_TOOLS}/pin")

configure_file("${UPSTREAM_PATCHED}/usrsctplib/usrsctp.h" "${UPSTREAM_INCLUDE}/usrsctp.h" COPYONLY)

# Another release may have other files: take what is there.
file(GLOB UPSTREAM_SOURCES RELATIVE "${UPSTREAM_PRISTINE}/usrsctplib"
	"${UPSTREAM_PRISTINE}/usrsctplib/*.c" "${UPSTREAM_PRISTINE}/usrsctplib/netinet*/*.c")

include(CheckIncludeFiles)
include(CheckStructHasMember)
add_library(upstream_definitions INTERFACE)
target_compile_definitions(upstream_definitions INTERFACE __Userspace__ SCTP_SIMPLE_ALLOCATOR
	SCTP_PROCESS_LEVEL_LOCKS SCTP_DEBUG INET INET6 _GNU_SOURCE)
function(cmt_define_if_header definition headers)
	check_include_files("${headers}" ${definition})
	if(${definition})
		target_compile_definitions(upstream_definitions INTERFACE ${definition})
	endif()
endfunction()
cmt_define_if_header(HAVE_SYS_QUEUE_H "sys/queue.h")
if(NOT HAVE_SYS_QUEUE_H)
	# Not every C library has it, musl for one. Upstream brings its own, under another name.
	configure_file("${UPSTREAM_PRISTINE}/usrsctplib/user_queue.h" "${CMAKE_BINARY_DIR}/compat/sys/queue.h" COPYONLY)
	include_directories(SYSTEM "${CMAKE_BINARY_DIR}/compat")
endif()
cmt_define_if_header(HAVE_LINUX_IF_ADDR_H "sys/socket.h;linux/if_addr.h")
cmt_define_if_header(HAVE_LINUX_RTNETLINK_H "sys/socket.h;linux/rtnetlink.h")
cmt_define_if_header(HAVE_NETINET_IP_ICMP_H "sys/types.h;netinet/in.h;netinet/ip.h;netinet/ip_icmp.h")
cmt_define_if_header(HAVE_STDATOMIC_H "stdatomic.h")
check_struct_has_member("struct sockaddr" sa_len "sys/types.h;sys/socket.h" HAVE_SA_LEN)
if(HAVE_SA_LEN)
	target_compile_definitions(upstream_definitions INTERFACE HAVE_SA_LEN HAVE_SIN_LEN HAVE_SIN6_LEN HAVE_SCONN_LEN)
endif()
