// The buffers of the standard streams.
#include <ext/stdio_sync_filebuf.h>
#include "standard/parts.hpp"

INSPECT_PART(stdio_buffer);

template class __gnu_cxx::stdio_sync_filebuf<char>;
