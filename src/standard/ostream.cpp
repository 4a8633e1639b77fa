#include <cxxabi.h>
#include <ios>
#include <string>

#include "standard/specialised.hpp"

#include <ostream>

#include "standard/parts.hpp"

INSPECT_NEEDS(facets);
INSPECT_NEEDS(stdio_buffer);

namespace std {

// After [ostream.unformatted]. It changes the buffer, also where it finds nothing in it: whoever flushes a stream that another
// is tied to must be in order with those who write to it.
template <>
ostream& ostream::flush() {
  if (!rdbuf()) return *this;
  if (const sentry ready(*this); ready) {
    bool failed = false;
    try {
      rdbuf()->pbump(0);
      failed = rdbuf()->pubsync() == -1;
    } catch (const __cxxabiv1::__forced_unwind&) {
      _M_setstate(badbit);
      throw;
    } catch (...) {
      _M_setstate(badbit);
    }
    if (failed) setstate(badbit);
  }
  return *this;
}

template class basic_ostream<char>;
template ostream& endl(ostream&);
template ostream& ends(ostream&);
template ostream& flush(ostream&);
template ostream& operator<<(ostream&, char);
template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, const char*);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& operator<<(ostream&, const signed char*);
template ostream& operator<<(ostream&, const string&);
template ostream& __ostream_insert(ostream&, const char*, streamsize);
template ostream& ostream::_M_insert(long);
template ostream& ostream::_M_insert(unsigned long);
template ostream& ostream::_M_insert(bool);
template ostream& ostream::_M_insert(long long);
template ostream& ostream::_M_insert(unsigned long long);
template ostream& ostream::_M_insert(double);
template ostream& ostream::_M_insert(long double);
template ostream& ostream::_M_insert(const void*);

}  // namespace std
