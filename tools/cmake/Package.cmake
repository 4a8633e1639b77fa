# Debian packages: `cpack -G DEB` in the build folder makes inspect and inspect-mpi. Only the latter needs an MPI.
set(CPACK_PACKAGE_NAME inspect)
set(CPACK_PACKAGE_VENDOR "Inspect")
set(CPACK_PACKAGE_CONTACT "Inspect developers <inspect@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "model checker for multithreaded C and C++ programs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL inspect)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what programs and modules are linked with
set(CPACK_DEBIAN_INSPECT_PACKAGE_NAME inspect)
set(CPACK_DEBIAN_INSPECT_PACKAGE_DEPENDS "clang-19 (>= 1:19.1)")  # the wrappers run it
set(CPACK_DEBIAN_INSPECT_PACKAGE_SUGGESTS "gdb, inspect-mpi, googletest, catch2")
set(CPACK_COMPONENT_INSPECT_DESCRIPTION
"Runs a program natively under every thread schedule that can make a
difference, and finds deadlocks, data races, failed assertions, memory
errors and misuse of the thread API, or says that there are none.")
if(TARGET inspect_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME inspect-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "inspect (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
  set(CPACK_DEBIAN_MPI_DESCRIPTION_SUMMARY "model checker for multithreaded programs, on a cluster")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "Lets the ranks of mpirun explore one program together.")
endif()
include(CPack)
