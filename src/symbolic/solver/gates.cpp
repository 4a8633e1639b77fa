#include "symbolic/solver/gates.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace inspect::symbolic {

std::size_t Gates::Hash::operator()(const std::vector<int>& key) const {
  std::uint64_t h = 0x9E3779B97F4A7C15ull * key.size();
  for (const int k : key) h = (h ^ static_cast<std::uint32_t>(k)) * 0xBF58476D1CE4E5B9ull, h ^= h >> 31;
  return h;
}

Gates::Gates(Solver& solver) : solver_(solver), true_(solver.fresh()) { solver_.add({true_}); }

void Gates::require(std::vector<Literal> any_of) {
  if (std::find(any_of.begin(), any_of.end(), true_) != any_of.end()) return;
  std::erase(any_of, -true_);
  solver_.add(any_of);
}

Literal Gates::all(std::vector<Literal> of) {
  std::sort(of.begin(), of.end());
  of.erase(std::unique(of.begin(), of.end()), of.end());
  std::erase(of, true_);
  for (const Literal l : of)
    if (l == -true_ || std::binary_search(of.begin(), of.end(), -l)) return -true_;
  if (of.empty()) return true_;
  if (of.size() == 1) return of[0];
  std::vector<int> key = of;
  key.push_back(kAll);
  const auto [it, is_new] = known_.try_emplace(std::move(key), 0);
  if (!is_new) return it->second;
  const Literal out = it->second = solver_.fresh();
  std::vector<Literal> back{out};
  for (const Literal l : of) {
    solver_.add({-out, l});
    back.push_back(-l);
  }
  solver_.add(back);
  return out;
}

Literal Gates::any(std::vector<Literal> of) {
  for (Literal& l : of) l = -l;
  return -all(std::move(of));
}

Literal Gates::differs(Literal a, Literal b) {
  const bool flip = (a < 0) != (b < 0);
  a = std::abs(a), b = std::abs(b);
  if (a > b) std::swap(a, b);
  const auto signed_by_flip = [&](Literal l) { return flip ? -l : l; };
  if (a == b) return signed_by_flip(-true_);
  if (a == true_) return signed_by_flip(-b);
  if (b == true_) return signed_by_flip(-a);
  const auto [it, is_new] = known_.try_emplace({a, b, kDiffers}, 0);
  if (is_new) {
    const Literal out = it->second = solver_.fresh();
    solver_.add({-out, a, b});
    solver_.add({-out, -a, -b});
    solver_.add({out, -a, b});
    solver_.add({out, a, -b});
  }
  return signed_by_flip(it->second);
}

Literal Gates::choice(Literal condition, Literal then, Literal otherwise) {
  if (condition < 0) return choice(-condition, otherwise, then);
  if (condition == true_ || then == otherwise) return then;
  if (then == true_ || then == condition) return either(condition, otherwise);
  if (then == -true_ || then == -condition) return both(-condition, otherwise);
  if (otherwise == true_ || otherwise == -condition) return either(-condition, then);
  if (otherwise == -true_ || otherwise == condition) return both(condition, then);
  if (then == -otherwise) return differs(condition, otherwise);
  const auto [it, is_new] = known_.try_emplace({condition, then, otherwise, kChoice}, 0);
  if (!is_new) return it->second;
  const Literal out = it->second = solver_.fresh();
  solver_.add({-out, -condition, then});
  solver_.add({-out, condition, otherwise});
  solver_.add({out, -condition, -then});
  solver_.add({out, condition, -otherwise});
  solver_.add({-out, then, otherwise});  // implied; they help propagation
  solver_.add({out, -then, -otherwise});
  return out;
}

Bits Gates::constant(unsigned width, std::uint64_t value) const {
  Bits bits(width);
  for (unsigned i = 0; i < width; ++i) bits[i] = truth(value >> i & 1);
  return bits;
}

Bits Gates::fresh(unsigned width) {
  Bits bits(width);
  for (Literal& b : bits) b = solver_.fresh();
  return bits;
}

Bits Gates::choice(Literal condition, const Bits& then, const Bits& otherwise) {
  Bits bits(then.size());
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = choice(condition, then[i], otherwise[i]);
  return bits;
}

Bits Gates::select(const std::vector<std::pair<Literal, Bits>>& values, const Bits& otherwise) {
  if (values.empty()) return otherwise;
  std::vector<Literal> conditions;
  for (const auto& [condition, value] : values) conditions.push_back(condition);
  const Literal some = any(std::move(conditions));
  Bits bits(otherwise.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (std::all_of(values.begin(), values.end(), [&](const auto& v) { return v.second[i] == otherwise[i]; })) {
      bits[i] = otherwise[i];
      continue;
    }
    std::vector<Literal> ways{both(-some, otherwise[i])};
    for (const auto& [condition, value] : values) ways.push_back(both(condition, value[i]));
    bits[i] = any(std::move(ways));
  }
  return bits;
}

Literal Gates::equal(const Bits& a, const Bits& b) {
  std::vector<Literal> same;
  for (std::size_t i = 0; i < a.size(); ++i) same.push_back(-differs(a[i], b[i]));
  return all(std::move(same));
}

Literal Gates::equal(const Bits& a, std::uint64_t value) {
  if (a.size() < 64 && value >> a.size()) return truth(false);
  return equal(a, constant(static_cast<unsigned>(a.size()), value));
}

Literal Gates::less(const Bits& a, const Bits& b) {
  Literal result = truth(false);
  for (std::size_t i = 0; i < a.size(); ++i) result = choice(differs(a[i], b[i]), b[i], result);
  return result;
}

Literal Gates::signed_less(Bits a, Bits b) {
  a.back() = -a.back();
  b.back() = -b.back();
  return less(a, b);
}

Bits Gates::inverted(Bits a) {
  for (Literal& l : a) l = -l;
  return a;
}

Bits Gates::sum(const Bits& a, const Bits& b, Literal carry) {
  Bits bits(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Literal half = differs(a[i], b[i]);
    bits[i] = differs(half, carry);
    carry = choice(half, carry, a[i]);
  }
  return bits;
}

Bits Gates::product(const Bits& a, const Bits& b) {
  const std::size_t width = a.size();
  Bits result = constant(static_cast<unsigned>(width), 0);
  for (std::size_t i = 0; i < width; ++i) {
    if (is_false(b[i])) continue;
    Bits part = constant(static_cast<unsigned>(width), 0);
    for (std::size_t j = i; j < width; ++j) part[j] = both(a[j - i], b[i]);
    result = sum(result, part);
  }
  return result;
}

std::pair<Bits, Bits> Gates::division(const Bits& a, const Bits& b) {
  const std::size_t width = a.size();
  Bits divisor = b, rest = constant(static_cast<unsigned>(width) + 1, 0), quotient(width);
  divisor.push_back(truth(false));
  for (std::size_t i = width; i-- > 0;) {
    rest.insert(rest.begin(), a[i]);
    rest.pop_back();
    const Literal fits = -less(rest, divisor);
    quotient[i] = fits;
    rest = choice(fits, subtraction(rest, divisor), rest);
  }
  rest.pop_back();
  return {quotient, rest};
}

Bits Gates::negated_if(Literal condition, const Bits& a) {
  Bits bits(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) bits[i] = differs(a[i], condition);
  return sum(bits, constant(static_cast<unsigned>(a.size()), 0), condition);
}

std::pair<Bits, Bits> Gates::signed_division(const Bits& a, const Bits& b) {
  const auto [quotient, rest] = division(negated_if(a.back(), a), negated_if(b.back(), b));
  return {negated_if(differs(a.back(), b.back()), quotient), negated_if(a.back(), rest)};
}

Bits Gates::shift_left(const Bits& a, const Bits& by) {
  const Bits mirrored(a.rbegin(), a.rend());
  const Bits shifted = shift_right(mirrored, by, truth(false));
  return {shifted.rbegin(), shifted.rend()};
}

Bits Gates::shift_right(const Bits& a, const Bits& by, Literal fill) {
  Bits bits = a;
  std::vector<Literal> too_far;
  for (std::size_t stage = 0; stage < by.size(); ++stage) {
    if (stage >= 6 || std::size_t{1} << stage >= a.size()) {
      too_far.push_back(by[stage]);
      continue;
    }
    const std::size_t distance = std::size_t{1} << stage;
    Bits moved(bits.size());
    for (std::size_t i = 0; i < bits.size(); ++i)
      moved[i] = choice(by[stage], i + distance < bits.size() ? bits[i + distance] : fill, bits[i]);
    bits = moved;
  }
  return choice(any(std::move(too_far)), Bits(a.size(), fill), bits);
}

}  // namespace inspect::symbolic
