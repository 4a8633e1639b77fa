// A stream's state is changed within the input function that does it, so that it is seen whose change it is: those of the
// standard streams make no data race, std::cin.clear() does (runtime/environment/standard_streams.hpp). To be included before
// <istream>.
#pragma once
#include "standard/specialised.hpp"

#include <ios>

namespace std {

template <>
__attribute__((always_inline)) inline void basic_ios<char>::clear(iostate state) {
  _M_streambuf_state = rdbuf() ? state : state | badbit;
  if (exceptions() & rdstate()) __throw_ios_failure("basic_ios::clear");
}

template <>
__attribute__((always_inline)) inline void basic_ios<char>::setstate(iostate state) {
  clear(rdstate() | state);
}

}  // namespace std
