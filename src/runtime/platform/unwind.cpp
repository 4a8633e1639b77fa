#include "runtime/platform/unwind.hpp"

#include <string.h>

namespace {

// libgcc's, as its unwinder uses them.
struct Bases {
  void *text, *data, *function;
};

}  // namespace

extern "C" const void* _Unwind_Find_FDE(void* instruction, Bases* bases);

namespace inspect::runtime {
namespace {

constexpr unsigned kFramePointer = 6, kStackPointer = 7;  // DWARF's numbers of rbp and rsp
constexpr unsigned kMostRemembered = 8;
constexpr std::uintptr_t kLargestFrame = 64u << 20;  // bytes

// The bytes of one description. ok: nothing was read that is not there or not known.
class Reader {
 public:
  Reader(const std::uint8_t* at, const std::uint8_t* end) : at_(at), end_(end) {}
  [[nodiscard]] bool more() const { return ok && at_ < end_; }
  [[nodiscard]] const std::uint8_t* at() const { return at_; }

  template <class T>
  T fixed() {
    T value{};
    if (!skip(sizeof value)) return value;
    memcpy(&value, at_ - sizeof value, sizeof value);
    return value;
  }
  bool skip(std::size_t size) {
    ok &= size <= std::size_t(end_ - at_);
    if (ok) at_ += size;
    return ok;
  }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
  }
  std::int64_t sleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if (shift < 64 && byte & 0x40) value |= ~0ull << shift;
      return std::int64_t(value);
    }
  }
  // A pointer of which only the size matters.
  bool skip_encoded(std::uint8_t encoding) {
    switch (encoding & 7) {
      case 0:
      case 4:
        return skip(8);
      case 2:
        return skip(2);
      case 3:
        return skip(4);
      default:
        return ok = false;
    }
  }

  bool ok = true;

 private:
  const std::uint8_t *at_, *end_;
};

// length: of what follows it.
Reader entry(const std::uint8_t* begin) {
  std::uint32_t length = 0;
  memcpy(&length, begin, sizeof length);
  return {begin + sizeof length, begin + sizeof length + (length == ~0u ? 0 : length)};
}

// What is said of the frame at one instruction: its end, and where the caller's rbp is kept below that end.
struct Rule {
  std::uint64_t base = 0, offset = 0;
  bool saves_frame_pointer = false;
  std::int64_t saved_at = 0;
};

class Description {
 public:
  // False: not in a form that is known.
  bool read(std::uintptr_t instruction) {
    Bases bases{};
    const auto* const fde =
        static_cast<const std::uint8_t*>(_Unwind_Find_FDE(reinterpret_cast<void*>(instruction - 1), &bases));
    if (!fde) return false;
    Reader own = entry(fde);
    const std::uint8_t* const here = own.at();
    if (!read_common(here - own.fixed<std::uint32_t>())) return false;
    if (!own.skip_encoded(encoding_) || !own.skip_encoded(encoding_)) return false;
    if (augmented_) own.skip(own.uleb());
    const auto passed = instruction - 1 - reinterpret_cast<std::uintptr_t>(bases.function);
    return own.ok && run(first_, ~0ull) && (initial_ = rule_, run(own, passed));
  }
  [[nodiscard]] const Rule& rule() const { return rule_; }

 private:
  // What several functions have in common (CIE).
  bool read_common(const std::uint8_t* begin) {
    Reader common = entry(begin);
    common.skip(4);
    const auto version = common.fixed<std::uint8_t>();
    const auto* const letters = reinterpret_cast<const char*>(common.at());
    common.skip(strlen(letters) + 1);
    code_unit_ = common.uleb();
    data_unit_ = common.sleb();
    if (version == 1)
      common.skip(1);
    else
      common.uleb();
    for (const char* letter = letters; common.ok && *letter; ++letter) {
      if (*letter == 'z')
        augmented_ = common.uleb() + 1;
      else if (*letter == 'R')
        encoding_ = common.fixed<std::uint8_t>();
      else if (*letter == 'P')
        common.skip_encoded(common.fixed<std::uint8_t>());
      else if (*letter == 'L')
        common.skip(1);
      else
        return false;  // a signal's frame, for one
    }
    first_ = common;
    return common.ok;
  }

  void keep(std::uint64_t which, bool saved, std::int64_t at) {
    if (which != kFramePointer) return;
    rule_.saves_frame_pointer = saved;
    rule_.saved_at = at * data_unit_;
  }
  void restore(std::uint64_t which) {
    if (which != kFramePointer) return;
    rule_.saves_frame_pointer = initial_.saves_frame_pointer;
    rule_.saved_at = initial_.saved_at;
  }
  void end_at(std::uint64_t base, std::uint64_t offset) {
    rule_.base = base;
    rule_.offset = offset;
  }

  // The instructions up to the place that many bytes into the function.
  bool run(Reader in, std::uint64_t passed) {
    std::uint64_t at = 0;
    while (in.more() && at <= passed) {
      const auto code = in.fixed<std::uint8_t>();
      const std::uint8_t low = code & 0x3f;
      std::uint64_t step = 0;
      switch (code >> 6) {
        case 1:
          step = low;
          break;
        case 2:
          keep(low, true, std::int64_t(in.uleb()));
          continue;
        case 3:
          restore(low);
          continue;
        default:
          if (!other(in, low, step)) return false;
      }
      at += step * code_unit_;
      if (at > passed) break;
    }
    return in.ok;
  }

  bool other(Reader& in, std::uint8_t code, std::uint64_t& step) {
    switch (code) {
      case 0x00:  // nop
        return true;
      case 0x02:  // advance
        return step = in.fixed<std::uint8_t>(), true;
      case 0x03:
        return step = in.fixed<std::uint16_t>(), true;
      case 0x04:
        return step = in.fixed<std::uint32_t>(), true;
      case 0x05: {  // saved at an offset
        const std::uint64_t which = in.uleb();
        return keep(which, true, std::int64_t(in.uleb())), true;
      }
      case 0x06:
        return restore(in.uleb()), true;
      case 0x07:  // lost
        return in.uleb() != kFramePointer;
      case 0x08:  // unchanged
        return keep(in.uleb(), false, 0), true;
      case 0x09:  // in another register
        return in.uleb() != kFramePointer && (in.uleb(), true);
      case 0x0a:
        if (remembered_count_ == kMostRemembered) return false;
        return remembered_[remembered_count_++] = rule_, true;
      case 0x0b:
        if (!remembered_count_) return false;
        return rule_ = remembered_[--remembered_count_], true;
      case 0x0c: {
        const std::uint64_t base = in.uleb();
        return end_at(base, in.uleb()), true;
      }
      case 0x0d:
        return end_at(in.uleb(), rule_.offset), true;
      case 0x0e:
        return end_at(rule_.base, in.uleb()), true;
      case 0x10:  // an expression says where it is saved
      case 0x16:
        return in.uleb() != kFramePointer && in.skip(in.uleb());
      case 0x11: {
        const std::uint64_t which = in.uleb();
        return keep(which, true, in.sleb()), true;
      }
      case 0x2e:  // the size of arguments on the stack
        return in.uleb(), true;
      default:
        return false;
    }
  }

  std::uint64_t code_unit_ = 1;
  std::int64_t data_unit_ = 1;
  std::uint8_t encoding_ = 0;
  std::uint64_t augmented_ = 0;
  Reader first_{nullptr, nullptr};
  Rule rule_, initial_;
  Rule remembered_[kMostRemembered];
  unsigned remembered_count_ = 0;
};

std::uintptr_t word_at(std::uintptr_t address) {
  std::uintptr_t word = 0;
  memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

}  // namespace

bool unwind(const CallerFrame& frame, CallerFrame& caller) {
  Description description;
  if (!description.read(frame.instruction)) return false;
  const Rule& rule = description.rule();
  if (rule.base != kStackPointer && rule.base != kFramePointer) return false;
  const std::uintptr_t base = rule.base == kStackPointer ? frame.stack_pointer : frame.frame_pointer;
  const std::uintptr_t end = base + rule.offset;
  if (end < frame.stack_pointer + 8 || end - frame.stack_pointer > kLargestFrame) return false;
  const std::uintptr_t saved = end + std::uintptr_t(rule.saved_at);
  if (rule.saves_frame_pointer && (saved < frame.stack_pointer || saved + 8 > end)) return false;
  caller = {word_at(end - 8), end, rule.saves_frame_pointer ? word_at(saved) : frame.frame_pointer};
  return true;
}

}  // namespace inspect::runtime
