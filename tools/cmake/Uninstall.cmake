# Removes what the last `cmake --install` of a build folder installed, and our own folders that are empty then.
#   cmake -DMANIFEST=BUILD/install_manifest.txt -P Uninstall.cmake
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "nothing was installed from here: ${MANIFEST} is missing")
endif()
file(STRINGS "${MANIFEST}" files)
set(folders)
foreach(file IN LISTS files)
  file(REMOVE "$ENV{DESTDIR}${file}")
  cmake_path(GET file PARENT_PATH folder)
  if(folder MATCHES "/[Ii]nspect(/|$)")  # others are not ours alone
    list(APPEND folders "${folder}")
  endif()
endforeach()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)  # those within others first
foreach(folder IN LISTS folders)
  file(GLOB left "$ENV{DESTDIR}${folder}/*")
  if(NOT left)
    file(REMOVE_RECURSE "$ENV{DESTDIR}${folder}")
  endif()
endforeach()
file(REMOVE "${MANIFEST}")
