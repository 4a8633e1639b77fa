#include "base/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace inspect {

std::string digest_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::string out;
  for (const unsigned char byte : canonical.digest) out.append({digits[byte >> 4], digits[byte & 15]});
  return out;
}

}  // namespace inspect
