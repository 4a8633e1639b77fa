// Numbers to and from text.
#include <locale>
#include "standard/parts.hpp"

INSPECT_PART(facets);

namespace std {

template class num_get<char>;
template class num_put<char>;
template const num_get<char>& use_facet<num_get<char>>(const locale&);
template const num_put<char>& use_facet<num_put<char>>(const locale&);
template const ctype<char>& use_facet<ctype<char>>(const locale&);
template const numpunct<char>& use_facet<numpunct<char>>(const locale&);
template const codecvt<char, char, mbstate_t>& use_facet<codecvt<char, char, mbstate_t>>(const locale&);
template bool has_facet<ctype<char>>(const locale&);
template bool has_facet<num_get<char>>(const locale&);
template bool has_facet<num_put<char>>(const locale&);
template bool has_facet<numpunct<char>>(const locale&);

}  // namespace std
