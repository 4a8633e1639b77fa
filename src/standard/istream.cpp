// Extraction of characters: what libstdc++ specialises for char is written after [istream.unformatted], one character a step.
#include <algorithm>
#include <limits>

#include "standard/stream_state.hpp"

#include <istream>
#include <ostream>

#include "standard/parts.hpp"

INSPECT_NEEDS(facets);
INSPECT_NEEDS(stdio_buffer);

namespace std {

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

// What is read into counts as changed even where the text ends before.
template <class Value>
istream& extract(istream& in, Value& value) {
  touch(value);
  if (const istream::sentry ready(in); ready) {
    ios_base::iostate state = ios_base::goodbit;
    try {
      use_facet<num_get<char>>(in.getloc()).get(in, {}, in, state, value);
    } catch (...) {
      Failed::set(in);
    }
    if (state) in.setstate(state);
  }
  return in;
}

// By way of a long, after [istream.formatted.arithmetic].
template <class Value>
istream& extract_narrow(istream& in, Value& value) {
  touch(value);
  if (const istream::sentry ready(in); ready) {
    ios_base::iostate state = ios_base::goodbit;
    try {
      long found = 0;
      use_facet<num_get<char>>(in.getloc()).get(in, {}, in, state, found);
      value = Value(clamp(found, long(numeric_limits<Value>::min()), long(numeric_limits<Value>::max())));
      if (value != found) state |= ios_base::failbit;
    } catch (...) {
      Failed::set(in);
    }
    if (state) in.setstate(state);
  }
  return in;
}

}  // namespace

template <>
istream& istream::operator>>(short& value) {
  return extract_narrow(*this, value);
}
template <>
istream& istream::operator>>(int& value) {
  return extract_narrow(*this, value);
}

#define INSPECT_EXTRACTS(type)                \
  template <>                                 \
  template <>                                 \
  istream& istream::_M_extract(type& value) { \
    return extract(*this, value);             \
  }
INSPECT_EXTRACTS(unsigned short)
INSPECT_EXTRACTS(unsigned int)
INSPECT_EXTRACTS(long)
INSPECT_EXTRACTS(unsigned long)
INSPECT_EXTRACTS(bool)
INSPECT_EXTRACTS(long long)
INSPECT_EXTRACTS(unsigned long long)
INSPECT_EXTRACTS(float)
INSPECT_EXTRACTS(double)
INSPECT_EXTRACTS(long double)
INSPECT_EXTRACTS(void*)

template <>
istream& operator>>(istream& in, char& c) {
  touch(c);
  if (const istream::sentry ready(in); ready) {
    ios_base::iostate state = ios_base::goodbit;
    try {
      const auto found = in.rdbuf()->sbumpc();
      if (is_end(found))
        state |= ios_base::eofbit | ios_base::failbit;
      else
        c = Traits::to_char_type(found);
    } catch (...) {
      Failed::set(in);
    }
    if (state) in.setstate(state);
  }
  return in;
}

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

template class basic_istream<char>;
template class basic_iostream<char>;
template istream& ws(istream&);
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);

}  // namespace std
