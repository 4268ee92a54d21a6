# Targets corecall::corecall (the shared library) and corecall::static, found from where this file lies.
get_filename_component(_corecall_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET corecall::corecall)
  add_library(corecall::corecall SHARED IMPORTED)
  set_target_properties(corecall::corecall PROPERTIES
    IMPORTED_LOCATION "${_corecall_prefix}/@SHARED_LOCATION@"
    @SHARED_NAME_PROPERTY@
    INTERFACE_INCLUDE_DIRECTORIES "${_corecall_prefix}/include")
endif()

if(NOT TARGET corecall::static)
  add_library(corecall::static STATIC IMPORTED)
  set_target_properties(corecall::static PROPERTIES
    IMPORTED_LOCATION "${_corecall_prefix}/lib/@STATIC@"
    INTERFACE_INCLUDE_DIRECTORIES "${_corecall_prefix}/include"
    INTERFACE_LINK_LIBRARIES "@NATIVE_CMAKE@")
endif()

unset(_corecall_prefix)
