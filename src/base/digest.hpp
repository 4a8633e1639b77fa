// A digest of bytes, to tell whether two are the same: 128 bits of XXH3.
//
// Guarantees: the same on every machine. It guards against accidents, not against intent: who can write a file can write its
// digest.
#pragma once
#include <string>
#include <string_view>

namespace inspect {

// 32 hexadecimal digits.
std::string digest_of(std::string_view bytes);

}  // namespace inspect
