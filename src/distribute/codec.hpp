// Values as bytes, and back, for messages between processes of one build.
//
// Guarantees: reading beyond the end, or a bool that is neither 0 nor 1, sets failed() and gives zeros; no other memory is
// read.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace inspect::distribute {

template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class Encoder {
 public:
  template <Plain T>
  Encoder& operator<<(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Encoder& operator<<(const std::string& text) {
    *this << static_cast<std::uint64_t>(text.size());
    bytes_ += text;
    return *this;
  }
  template <class T>
  Encoder& operator<<(const std::vector<T>& all) {
    *this << static_cast<std::uint64_t>(all.size());
    for (const T& one : all) *this << one;
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}
  template <Plain T>
  Decoder& operator>>(T& value) {
    value = T{};
    if (!has(sizeof value)) return *this;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return *this;
  }
  Decoder& operator>>(bool& value) {
    std::uint8_t byte = 0;
    *this >> byte;
    failed_ |= byte > 1;
    value = byte == 1;
    return *this;
  }
  Decoder& operator>>(std::string& text) {
    std::uint64_t size = 0;
    *this >> size;
    text.clear();
    if (!has(size)) return *this;
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return *this;
  }
  template <class T>
  Decoder& operator>>(std::vector<T>& all) {
    std::uint64_t size = 0;
    *this >> size;
    all.clear();
    while (size-- && !failed_) *this >> all.emplace_back();
    return *this;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  bool has(std::uint64_t size) {
    if (failed_ || size > rest_.size()) failed_ = true;
    return !failed_;
  }
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace inspect::distribute
