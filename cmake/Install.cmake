# SPDX-License-Identifier: BSD-3-Clause
# make install: libraries, headers, pkg-config files and CMake package, scenarios. Included by usrsctp-cmt/CMakeLists.txt.
# A library usrsctp-cmt-PART has the install components PART, and PART_development for who builds against it; the stack
# has library and development.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/usrsctp-cmt")
set(header_folder "${CMAKE_INSTALL_INCLUDEDIR}/usrsctp-cmt")
file(GLOB public_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/*.h")
set(stack_headers ${public_headers})
list(FILTER stack_headers EXCLUDE REGEX "/usrsctp_cmt_(event|blocking|sim)\\.h$")
install(FILES "${UPSTREAM_INCLUDE}/usrsctp.h" ${stack_headers} DESTINATION "${header_folder}" COMPONENT development)
# What usrsctp_cmt_sched.h includes.
set(core_headers cmt_sched.h sched/cmt_units.h util/cmt_limits.h util/cmt_time.h cmt_exported.h)
foreach(header IN LISTS core_headers)
	cmake_path(GET header PARENT_PATH folder)
	install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/core/${header}" DESTINATION "${header_folder}/core/${folder}"
		COMPONENT development)
endforeach()

# Relative to its own place, so that `cmake --install --prefix` may choose another prefix.
file(RELATIVE_PATH PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" PC_TO_PREFIX "${PC_TO_PREFIX}")

# cmt_install_library(TARGET RUNTIME DEVELOPMENT DESCRIPTION): with its pkg-config file and its part of the CMake package.
function(cmt_install_library library runtime development description)
	get_target_property(PC_NAME ${library} OUTPUT_NAME)
	install(TARGETS ${library} ${library}_static EXPORT ${PC_NAME}
		LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${runtime} NAMELINK_COMPONENT ${development}
		ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${development})
	install(EXPORT ${PC_NAME} FILE ${PC_NAME}-targets.cmake NAMESPACE usrsctp-cmt:: DESTINATION "${package_folder}"
		COMPONENT ${development})
	if(NOT library STREQUAL "usrsctp_cmt")
		install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/include/${library}.h" DESTINATION "${header_folder}"
			COMPONENT ${development})
		get_target_property(below ${below_${library}} OUTPUT_NAME)
		set(PC_REQUIRES "Requires: ${below} = ${PROJECT_VERSION}\n")
	endif()
	set(PC_DESCRIPTION "${description}")
	list(TRANSFORM STATIC_LIBRARIES_${library} PREPEND "-l" OUTPUT_VARIABLE PC_STATIC_LIBRARIES)
	list(JOIN PC_STATIC_LIBRARIES " " PC_STATIC_LIBRARIES)
	configure_file(usrsctp-cmt.pc.in "${CMAKE_CURRENT_BINARY_DIR}/${PC_NAME}.pc" @ONLY)
	install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${PC_NAME}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
		COMPONENT ${development})
endfunction()

# What a static link needs besides, here and in the CMake package.
set(STATIC_LIBRARIES_usrsctp_cmt m)
if(CMT_OPENSSL)
	list(PREPEND STATIC_LIBRARIES_usrsctp_cmt ssl crypto)
endif()
if(ISAL_FOUND)
	list(PREPEND STATIC_LIBRARIES_usrsctp_cmt isal)
endif()
set(STATIC_LIBRARIES_usrsctp_cmt_event event_core)
set(STATIC_LIBRARIES_usrsctp_cmt_blocking event_core)
set(STATIC_LIBRARIES_usrsctp_cmt_sim "")
set(CMT_STATIC_NEEDS ${STATIC_LIBRARIES_usrsctp_cmt} PARENT_SCOPE)
cmt_install_library(usrsctp_cmt library development "${PROJECT_DESCRIPTION}")
cmt_install_library(usrsctp_cmt_sim sim sim_development "${PROJECT_DESCRIPTION}: networks in virtual time")
if(TARGET usrsctp_cmt_event)
	cmt_install_library(usrsctp_cmt_event event event_development "${PROJECT_DESCRIPTION}: on a libevent loop")
	cmt_install_library(usrsctp_cmt_blocking blocking blocking_development
		"${PROJECT_DESCRIPTION}: connections without an event loop")
endif()

# Programs linked to usrsctp find ours by its name. Not part of `make install`: it would be in usrsctp's way.
install(CODE "
	set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
	file(MAKE_DIRECTORY \"\${folder}\")
	file(CREATE_LINK libusrsctp-cmt.so.${CMT_ABI} \"\${folder}/libusrsctp.so.2\" SYMBOLIC)"
	COMPONENT compat EXCLUDE_FROM_ALL)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/usrsctp-cmt-config.cmake.in"
	"${CMAKE_CURRENT_BINARY_DIR}/usrsctp-cmt-config.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/usrsctp-cmt-config-version.cmake"
	COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/usrsctp-cmt-config.cmake"
	"${CMAKE_CURRENT_BINARY_DIR}/usrsctp-cmt-config-version.cmake" DESTINATION "${package_folder}"
	COMPONENT development)

file(GLOB scenarios CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/scenarios/*.ini")
install(FILES ${scenarios} DESTINATION "${CMAKE_INSTALL_DATADIR}/usrsctp-cmt/scenarios"
	COMPONENT tools)

# For the documentation: what applications include, and what usrsctp_cmt_sched.h brings along.
set(CMT_PUBLIC_HEADERS ${public_headers} PARENT_SCOPE)
list(TRANSFORM core_headers PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/core/" OUTPUT_VARIABLE CMT_SCHED_HEADERS)
set(CMT_SCHED_HEADERS ${CMT_SCHED_HEADERS} PARENT_SCOPE)
