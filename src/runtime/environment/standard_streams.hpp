// The C++ library's standard streams (cout, cin, cerr, clog and the wide ones) and the buffers they begin with.
//
// While they are synchronised with C's streams, their formatted and unformatted input and output functions make no data race
// ([iostream.objects.overview]); everything else that is done with them does. Deliberately unknown here: the layout beyond
// where a stream keeps its buffer.
#pragma once
#include <cstddef>
#include <cstdint>

namespace inspect::runtime {

// Once the constructors have run.
void boot_standard_streams();

}  // namespace inspect::runtime
