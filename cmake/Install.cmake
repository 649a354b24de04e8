# SPDX-License-Identifier: BSD-3-Clause
# make install: libraries, headers, pkg-config and CMake package, scenarios. Included by usrsctp-cmt/CMakeLists.txt.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/usrsctp-cmt")
file(GLOB public_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/*.h")

install(TARGETS usrsctp_cmt usrsctp_cmt_static EXPORT usrsctp-cmt
	LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
	ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(FILES "${UPSTREAM_INCLUDE}/usrsctp.h" ${public_headers}
	DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/usrsctp-cmt" COMPONENT development)
# What usrsctp_cmt_sched.h includes.
set(core_headers cmt_sched.h sched/cmt_units.h util/cmt_limits.h util/cmt_time.h cmt_exported.h)
foreach(header IN LISTS core_headers)
	cmake_path(GET header PARENT_PATH folder)
	install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/core/${header}"
		DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/usrsctp-cmt/core/${folder}" COMPONENT development)
endforeach()

# Relative to its own place, so that `cmake --install --prefix` may choose another prefix.
file(RELATIVE_PATH PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" PC_TO_PREFIX "${PC_TO_PREFIX}")
# What a static link needs besides, here and in the CMake package.
set(STATIC_LIBRARIES pcap event_core)
if(ISAL_FOUND)
	list(PREPEND STATIC_LIBRARIES isal)
endif()
list(JOIN STATIC_LIBRARIES " -l" PC_STATIC_LIBRARIES)
configure_file(usrsctp-cmt.pc.in "${CMAKE_CURRENT_BINARY_DIR}/usrsctp-cmt.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/usrsctp-cmt.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
	COMPONENT development)

install(EXPORT usrsctp-cmt NAMESPACE usrsctp-cmt:: DESTINATION "${package_folder}" COMPONENT development)
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
