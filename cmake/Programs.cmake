# SPDX-License-Identifier: BSD-3-Clause
# What comes with every program: manual page, completion, systemd units. Its --help has the form that
# docs/manual/help_text.py describes, and is where page and completion come from.

# Of Debian packages: what somebody installs without saying where it belongs comes with the programs.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools)

# cmt_install_program(NAME COMPONENT): NAME is a target, or a script in the current folder. NAME/*.service are units,
# NAME/*.conf examples of configurations.
# Global properties: CMT_PROGRAMS, names; CMT_COMPONENT_<NAME>; CMT_COMMAND_<NAME>, what to run in the build tree.
function(cmt_install_program name component)
	if(TARGET ${name})
		install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${component})
		set(command "$<TARGET_FILE:${name}>")
	else()
		install(PROGRAMS ${name} DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${component})
		set(command "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
	endif()
	set_property(GLOBAL APPEND PROPERTY CMT_PROGRAMS ${name})
	set_property(GLOBAL PROPERTY CMT_COMPONENT_${name} ${component})
	set_property(GLOBAL PROPERTY CMT_COMMAND_${name} "${command}")

	# bash-completion loads the file that has the command's name.
	install(FILES "${PROJECT_SOURCE_DIR}/apps/completion/cmt.bash" RENAME ${name} COMPONENT ${component}
		DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
	file(GLOB units CONFIGURE_DEPENDS "${name}/*.service")
	if(units)
		install(FILES ${units} DESTINATION lib/systemd/system COMPONENT ${component})
	endif()
	file(GLOB configurations CONFIGURE_DEPENDS "${name}/*.conf")
	if(configurations)
		install(FILES ${configurations} DESTINATION "${CMAKE_INSTALL_DATADIR}/usrsctp-cmt" COMPONENT ${component})
	endif()
endfunction()
