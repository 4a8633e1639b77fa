// Extraction of characters: what libstdc++ specialises for char is written after [istream.unformatted], one character a step.
#include <istream>
#include <limits>
#include "standard/parts.hpp"

INSPECT_NEEDS(facets);
INSPECT_NEEDS(stdio_buffer);

namespace std {

template class basic_istream<char>;
template class basic_iostream<char>;
template istream& ws(istream&);
template istream& operator>>(istream&, char&);
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);
template istream& istream::_M_extract(unsigned short&);
template istream& istream::_M_extract(unsigned int&);
template istream& istream::_M_extract(long&);
template istream& istream::_M_extract(unsigned long&);
template istream& istream::_M_extract(bool&);
template istream& istream::_M_extract(long long&);
template istream& istream::_M_extract(unsigned long long&);
template istream& istream::_M_extract(float&);
template istream& istream::_M_extract(double&);
template istream& istream::_M_extract(long double&);
template istream& istream::_M_extract(void*&);

namespace {

using Traits = char_traits<char>;
constexpr streamsize kNoLimit = numeric_limits<streamsize>::max();

bool is_end(Traits::int_type c) { return Traits::eq_int_type(c, Traits::eof()); }

// What an exception of the buffer does to the stream: badbit, and the exception itself where the program asked for it.
struct Failed {
  static void set(istream& in) {
    try {
      in.setstate(ios_base::badbit);
    } catch (const ios_base::failure&) {
    }
    if (in.exceptions() & ios_base::badbit) throw;
  }
};

}  // namespace

template <>
istream& istream::getline(char* text, streamsize size, char delimiter) {
  _M_gcount = 0;
  ios_base::iostate state = ios_base::goodbit;
  streamsize stored = 0;
  if (const sentry ready(*this, true); ready) {
    try {
      auto* const buffer = rdbuf();
      for (auto c = buffer->sgetc();; c = buffer->snextc()) {
        if (is_end(c)) {
          state |= ios_base::eofbit;
          break;
        }
        if (Traits::to_char_type(c) == delimiter) {
          ++_M_gcount;
          buffer->sbumpc();
          break;
        }
        if (stored + 1 >= size) {
          state |= ios_base::failbit;
          break;
        }
        text[stored++] = Traits::to_char_type(c);
        ++_M_gcount;
      }
    } catch (...) {
      Failed::set(*this);
    }
  }
  if (size > 0) text[stored] = char();
  if (!_M_gcount) state |= ios_base::failbit;
  if (state) setstate(state);
  return *this;
}

template <>
istream& istream::ignore(streamsize count, int_type delimiter) {
  _M_gcount = 0;
  if (const sentry ready(*this, true); ready && count > 0) {
    ios_base::iostate state = ios_base::goodbit;
    try {
      auto* const buffer = rdbuf();
      while (count == kNoLimit || _M_gcount < count) {
        const auto c = buffer->sbumpc();
        if (is_end(c)) {
          state |= ios_base::eofbit;
          break;
        }
        if (_M_gcount < kNoLimit) ++_M_gcount;
        if (Traits::eq_int_type(c, delimiter)) break;
      }
    } catch (...) {
      Failed::set(*this);
    }
    if (state) setstate(state);
  }
  return *this;
}

template <>
istream& istream::ignore(streamsize count) {
  return ignore(count, Traits::eof());
}

}  // namespace std
