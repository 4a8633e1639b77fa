// Words and lines from a stream, after [istream.extractors] and [string.io].
#include "standard/stream_state.hpp"

#include <istream>
#include <limits>
#include <locale>
#include <string>
#include "standard/parts.hpp"

INSPECT_NEEDS(facets);
INSPECT_NEEDS(stdio_buffer);

namespace std {
namespace {

using Traits = char_traits<char>;

bool is_end(Traits::int_type c) { return Traits::eq_int_type(c, Traits::eof()); }

void set_bad(istream& in) {
  try {
    in.setstate(ios_base::badbit);
  } catch (const ios_base::failure&) {
  }
  if (in.exceptions() & ios_base::badbit) throw;
}

// The characters of one word, at most `limit`, given to `store` one by one.
template <class Store>
ios_base::iostate read_word(istream& in, streamsize limit, Store store) {
  const auto& kinds = use_facet<ctype<char>>(in.getloc());
  streamsize count = 0;
  ios_base::iostate state = ios_base::goodbit;
  auto* const buffer = in.rdbuf();
  for (auto c = buffer->sgetc(); count < limit; c = buffer->snextc()) {
    if (is_end(c)) {
      state |= ios_base::eofbit;
      break;
    }
    if (kinds.is(ctype_base::space, Traits::to_char_type(c))) break;
    store(Traits::to_char_type(c));
    ++count;
  }
  return count ? state : state | ios_base::failbit;
}

}  // namespace

template <>
istream& operator>>(istream& in, string& text) {
  touch(text);
  if (const istream::sentry ready(in, false); ready) {
    ios_base::iostate state = ios_base::goodbit;
    try {
      text.erase();
      const streamsize width = in.width();
      state = read_word(in, width > 0 ? width : numeric_limits<streamsize>::max(), [&](char c) { text += c; });
      in.width(0);
    } catch (...) {
      set_bad(in);
    }
    if (state) in.setstate(state);
  }
  return in;
}

template <>
istream& getline(istream& in, string& line, char delimiter) {
  touch(line);
  if (const istream::sentry ready(in, true); ready) {
    ios_base::iostate state = ios_base::goodbit;
    bool extracted = false;
    try {
      line.erase();
      auto* const buffer = in.rdbuf();
      for (;;) {
        const auto c = buffer->sgetc();
        if (is_end(c)) {
          state |= ios_base::eofbit;
          break;
        }
        if (line.size() == line.max_size() && Traits::to_char_type(c) != delimiter) {
          state |= ios_base::failbit;
          break;
        }
        extracted = true;
        buffer->sbumpc();
        if (Traits::to_char_type(c) == delimiter) break;
        line += Traits::to_char_type(c);
      }
    } catch (...) {
      set_bad(in);
    }
    if (!extracted) state |= ios_base::failbit;
    if (state) in.setstate(state);
  }
  return in;
}

template istream& getline(istream&, string&);

// A word into an array of `size` characters, its terminator included.
void __istream_extract(istream& in, char* text, streamsize size) {
  if (const istream::sentry ready(in, false); ready) {
    ios_base::iostate state = ios_base::goodbit;
    streamsize stored = 0;
    try {
      const streamsize width = in.width();
      state = read_word(in, (width > 0 && width < size ? width : size) - 1, [&](char c) { text[stored++] = c; });
      text[stored] = char();
      in.width(0);
    } catch (...) {
      set_bad(in);
    }
    if (state) in.setstate(state);
  }
}

}  // namespace std
