# SPDX-License-Identifier: BSD-3-Clause
# Debian packages by CPack: cmake --build --preset release --target package. docs/install.md says what is in which.
# `uninstall` takes back what `install` put under the same prefix.

add_custom_target(uninstall VERBATIM COMMAND "${CMAKE_COMMAND}" "-DBUILD=${CMAKE_BINARY_DIR}"
	"-DPREFIX=${CMAKE_INSTALL_PREFIX}" -P "${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake")

# The stack, and the libraries beside it: a component each, and one for who builds against it (cmake/Install.cmake).
set(libraries library)
set(developments development)
foreach(part IN ITEMS event blocking sim)
	if(TARGET usrsctp_cmt_${part})
		list(APPEND libraries ${part})
		list(APPEND developments ${part}_development)
	endif()
endforeach()
set(CPACK_COMPONENTS_ALL ${libraries} ${developments} compat)
if(CMT_BUILD_APPS)
	list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
if(TARGET sctp-cmt)
	list(APPEND CPACK_COMPONENTS_ALL wireshark)
endif()
if(TARGET gstcmt)
	list(APPEND CPACK_COMPONENTS_ALL gstreamer)
endif()
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libusrsctp-cmt${CMT_ABI})
set(CPACK_DEBIAN_EVENT_PACKAGE_NAME libusrsctp-cmt-event${CMT_ABI})
set(CPACK_DEBIAN_BLOCKING_PACKAGE_NAME libusrsctp-cmt-blocking${CMT_ABI})
set(CPACK_DEBIAN_SIM_PACKAGE_NAME libusrsctp-cmt-sim${CMT_ABI})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libusrsctp-cmt-dev)
set(CPACK_DEBIAN_EVENT_DEVELOPMENT_PACKAGE_NAME libusrsctp-cmt-event-dev)
set(CPACK_DEBIAN_BLOCKING_DEVELOPMENT_PACKAGE_NAME libusrsctp-cmt-blocking-dev)
set(CPACK_DEBIAN_SIM_DEVELOPMENT_PACKAGE_NAME libusrsctp-cmt-sim-dev)
set(CPACK_DEBIAN_COMPAT_PACKAGE_NAME libusrsctp-cmt-compat)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME cmt-tools)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_NAME wireshark-sctp-cmt)
set(CPACK_DEBIAN_GSTREAMER_PACKAGE_NAME gstreamer1.0-cmt)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME usrsctp-cmt)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# Who makes the packages, as Debian's tools take it from the environment.
set(maintainer "the usrsctp-cmt authors <usrsctp-cmt@example.org>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
	set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_CONTACT "${maintainer}" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Not made by Debian, whose first one would be 1.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0cmt1)
# Not of the development files: no program is among them, and CPack looks at each with file(1).
foreach(component IN ITEMS LIBRARY EVENT BLOCKING SIM)
	set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
endforeach()
# Where those beside the stack find it; that they need it is said below.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}/usrsctp-cmt")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GSTREAMER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_COMPONENT_EVENT_DEPENDS library)
set(CPACK_COMPONENT_BLOCKING_DEPENDS event)
set(CPACK_COMPONENT_SIM_DEPENDS library)
set(CPACK_COMPONENT_EVENT_DEVELOPMENT_DEPENDS event development)
set(CPACK_COMPONENT_BLOCKING_DEVELOPMENT_DEPENDS blocking event_development)
set(CPACK_COMPONENT_SIM_DEVELOPMENT_DEPENDS sim development)
set(CPACK_COMPONENT_COMPAT_DEPENDS library)
foreach(component IN ITEMS LIBRARY EVENT BLOCKING SIM COMPAT)
	set(CPACK_DEBIAN_${component}_PACKAGE_SECTION libs)
endforeach()
foreach(component IN ITEMS DEVELOPMENT EVENT_DEVELOPMENT BLOCKING_DEVELOPMENT SIM_DEVELOPMENT)
	set(CPACK_DEBIAN_${component}_PACKAGE_SECTION libdevel)
endforeach()
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_SECTION net)
set(CPACK_DEBIAN_GSTREAMER_PACKAGE_SECTION video)
# For a static link: what the pkg-config files name as Libs.private.
set(needs "")
if(ISAL_FOUND)
	list(APPEND needs libisal-dev)
endif()
if(CMT_OPENSSL)
	list(APPEND needs libssl-dev)
endif()
list(JOIN needs ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_EVENT_DEVELOPMENT_PACKAGE_DEPENDS libevent-dev)
# The link takes the place of Debian's library, for whatever depends on that.
set(CPACK_DEBIAN_COMPAT_PACKAGE_PROVIDES "libusrsctp2 (= 0.9.5.0)")
set(CPACK_DEBIAN_COMPAT_PACKAGE_CONFLICTS libusrsctp2)
set(CPACK_DEBIAN_COMPAT_PACKAGE_REPLACES libusrsctp2)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS wireshark-sctp-cmt)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_DEPENDS "tshark, python3")
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_RECOMMENDS "wireshark, gnuplot-nox, cmt-tools, xdg-utils")

# Muxers and parsers of transport streams.
set(CPACK_DEBIAN_GSTREAMER_PACKAGE_SUGGESTS gstreamer1.0-plugins-bad)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(about "usrsctp with concurrent multipath transfer: one SCTP association sends over
all its paths at once and still delivers in order, also when the paths
differ in rate and delay.")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "concurrent multipath transfer over SCTP, shared library\n${about}")
set(CPACK_DEBIAN_EVENT_DESCRIPTION "concurrent multipath transfer over SCTP, on a libevent loop\n${about}
.
Connections with callbacks and back pressure on an application's event loop.")
set(CPACK_DEBIAN_BLOCKING_DESCRIPTION "concurrent multipath transfer over SCTP, without an event loop\n${about}
.
Connections by calls that block: connect, send, receive, close.")
set(CPACK_DEBIAN_SIM_DESCRIPTION "concurrent multipath transfer over SCTP, network simulator\n${about}
.
Simulated networks in virtual time, for an application's own tests.")
foreach(part IN ITEMS EVENT BLOCKING SIM)
	set(CPACK_DEBIAN_${part}_DEVELOPMENT_DESCRIPTION "${CPACK_DEBIAN_${part}_DESCRIPTION}
.
Header, static library, pkg-config file, part of the CMake package.")
	string(REPLACE "\n${about}" " (development)\n${about}" CPACK_DEBIAN_${part}_DEVELOPMENT_DESCRIPTION
		"${CPACK_DEBIAN_${part}_DEVELOPMENT_DESCRIPTION}")
endforeach()
set(CPACK_DEBIAN_COMPAT_DESCRIPTION "concurrent multipath transfer over SCTP, in place of usrsctp\n${about}
.
The link libusrsctp.so.2: programs that are linked to usrsctp run with
libusrsctp-cmt, unchanged.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "concurrent multipath transfer over SCTP, development files\n${about}
.
Headers, static library, pkg-config file, CMake package, manual pages, API
reference, examples.")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "concurrent multipath transfer over SCTP, programs\n${about}
.
Programs to send files, to serve media, to measure, and to simulate networks
in virtual time; the documentation.")
set(CPACK_DEBIAN_WIRESHARK_DESCRIPTION "concurrent multipath transfer over SCTP, Wireshark plugin\n${about}
.
Fields, delays, losses and reordering of every path of a captured
association; cmt-capstat, a report as text.")

set(CPACK_DEBIAN_GSTREAMER_DESCRIPTION "concurrent multipath transfer over SCTP, GStreamer plugin\n${about}
.
The elements cmtsink and cmtsrc: live streams within a latency budget.")

# --- what every package has: licences and changes ------------------------------------------------------------------
set(papers "${CMAKE_CURRENT_BINARY_DIR}/package-papers")
file(READ LICENSE licence)
file(READ "${UPSTREAM_PRISTINE}/LICENSE.md" upstream_licence)
configure_file(cmake/copyright.in "${papers}/copyright" @ONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT "${papers}/changelog.Debian" CONTENT [[usrsctp-cmt (@PROJECT_VERSION@-@CPACK_DEBIAN_PACKAGE_RELEASE@) unstable; urgency=medium

  * Made by CPack from a build tree; changelog.gz tells what changed.

 -- @CPACK_PACKAGE_CONTACT@  @date@
]] @ONLY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
	string(TOUPPER ${component} COMPONENT)
	set(folder "${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME}")
	install(FILES "${papers}/copyright" "${papers}/changelog.Debian.gz" "${papers}/changelog.gz"
		DESTINATION "${folder}" COMPONENT ${component})
endforeach()
# Who links the library depends on this release or a later one.
file(WRITE "${papers}/triggers" "activate-noawait ldconfig\n")
foreach(component IN LISTS libraries)
	string(TOUPPER ${component} COMPONENT)
	set(package ${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
	string(REGEX REPLACE "${CMT_ABI}$" "" name ${package})
	file(WRITE "${papers}/${component}/shlibs" "${name} ${CMT_ABI} ${package} (>= ${PROJECT_VERSION})\n")
	set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_CONTROL_EXTRA "${papers}/${component}/shlibs;${papers}/triggers")
endforeach()
# What lintian may say.
set(overrides "${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides")
foreach(component IN LISTS libraries developments)
	string(TOUPPER ${component} COMPONENT)
	if(component IN_LIST libraries)
		file(WRITE "${papers}/${component}.overrides" "# CPack writes these scripts beside the trigger.\n"
			"${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME}: maintscript-calls-ldconfig *\n")
	else()
		file(WRITE "${papers}/${component}.overrides"
			"# Other architectures have folders of their own only under the prefix that was configured (docs/install.md).\n"
			"${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME}: pkg-config-unavailable-for-cross-compilation *\n")
	endif()
	install(FILES "${papers}/${component}.overrides" DESTINATION "${overrides}" COMPONENT ${component}
		RENAME "${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME}")
endforeach()
add_custom_command(OUTPUT "${papers}/changelog.gz" "${papers}/changelog.Debian.gz"
	DEPENDS "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${papers}/changelog.Debian"
	COMMAND gzip -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md" > "${papers}/changelog.gz"
	COMMAND gzip -9nc "${papers}/changelog.Debian" > "${papers}/changelog.Debian.gz")
add_custom_target(package_papers ALL DEPENDS "${papers}/changelog.gz" "${papers}/changelog.Debian.gz")
include(CPack)
