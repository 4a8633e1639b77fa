#include <streambuf>

namespace std {

// All of one buffer into another, until either fails; `ineof`: the source had no more.
template <>
streamsize __copy_streambufs_eof(basic_streambuf<char>* in, basic_streambuf<char>* out, bool& ineof) {
  using Traits = char_traits<char>;
  streamsize count = 0;
  ineof = true;
  for (auto c = in->sgetc(); !Traits::eq_int_type(c, Traits::eof()); c = in->snextc()) {
    if (Traits::eq_int_type(out->sputc(Traits::to_char_type(c)), Traits::eof())) {
      ineof = false;
      break;
    }
    ++count;
  }
  return count;
}

template class basic_streambuf<char>;
template streamsize __copy_streambufs(basic_streambuf<char>*, basic_streambuf<char>*);

}  // namespace std
