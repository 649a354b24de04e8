# SPDX-License-Identifier: BSD-3-Clause
# Debian packages by CPack: cmake --build --preset release --target package. docs/install.md says what is in which.
# `uninstall` takes back what `install` put under the same prefix.

add_custom_target(uninstall VERBATIM COMMAND "${CMAKE_COMMAND}" "-DBUILD=${CMAKE_BINARY_DIR}"
	"-DPREFIX=${CMAKE_INSTALL_PREFIX}" -P "${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake")

set(CPACK_COMPONENTS_ALL library development)
if(CMT_BUILD_APPS)
	list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
if(TARGET sctp-cmt)
	list(APPEND CPACK_COMPONENTS_ALL wireshark)
endif()
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libusrsctp-cmt${CMT_ABI})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libusrsctp-cmt-dev)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME cmt-tools)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_NAME wireshark-sctp-cmt)

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
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_SECTION net)
# For a static link: what usrsctp-cmt.pc names as Libs.private.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libpcap-dev, libevent-dev")
if(ISAL_FOUND)
	string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libisal-dev")
endif()
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS wireshark-sctp-cmt)
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_DEPENDS "tshark, python3")
set(CPACK_DEBIAN_WIRESHARK_PACKAGE_RECOMMENDS "wireshark, gnuplot-nox")

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(about "usrsctp with concurrent multipath transfer: one SCTP association sends over
all its paths at once and still delivers in order, also when the paths
differ in rate and delay.")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "concurrent multipath transfer over SCTP, shared library\n${about}")
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
file(WRITE "${papers}/shlibs" "libusrsctp-cmt ${CMT_ABI} ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} (>= ${PROJECT_VERSION})\n")
file(WRITE "${papers}/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${papers}/shlibs;${papers}/triggers")
# What lintian may say.
set(overrides "${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides")
file(WRITE "${papers}/library.overrides" "# CPack writes these scripts beside the trigger.\n"
	"${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME}: maintscript-calls-ldconfig *\n")
file(WRITE "${papers}/development.overrides"
	"# Other architectures have folders of their own only under the prefix that was configured (docs/install.md).\n"
	"${CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME}: pkg-config-unavailable-for-cross-compilation *\n")
foreach(component IN ITEMS library development)
	string(TOUPPER ${component} COMPONENT)
	install(FILES "${papers}/${component}.overrides" DESTINATION "${overrides}" COMPONENT ${component}
		RENAME "${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME}")
endforeach()
add_custom_command(OUTPUT "${papers}/changelog.gz" "${papers}/changelog.Debian.gz"
	DEPENDS "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${papers}/changelog.Debian"
	COMMAND gzip -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md" > "${papers}/changelog.gz"
	COMMAND gzip -9nc "${papers}/changelog.Debian" > "${papers}/changelog.Debian.gz")
add_custom_target(package_papers ALL DEPENDS "${papers}/changelog.gz" "${papers}/changelog.Debian.gz")
include(CPack)
