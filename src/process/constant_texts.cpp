#include "process/constant_texts.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/mapped_file.hpp"

namespace inspect::process {

namespace {

TextMatch find_in(std::string_view section, const std::string& text) {
  const std::string wanted = text + '\0';
  TextMatch best = TextMatch::none;
  for (auto at = section.find(wanted); at != std::string_view::npos; at = section.find(wanted, at + 1)) {
    if (at == 0 || section[at - 1] == '\0') return TextMatch::whole;
    best = TextMatch::ending;
  }
  return best;
}

}  // namespace

TextMatch find_constant_text(const std::string& path, const std::string& text) {
  const MappedFile mapped(path);
  const std::string_view file = mapped.bytes();
  Elf64_Ehdr header;
  TextMatch best = TextMatch::none;
  if (file.size() < sizeof header) return best;
  std::memcpy(&header, file.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return best;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    const std::uint64_t at = header.e_shoff + std::uint64_t{i} * sizeof section;
    if (at > file.size() || file.size() - at < sizeof section) return best;
    std::memcpy(&section, file.data() + at, sizeof section);
    if (section.sh_type != SHT_PROGBITS || !(section.sh_flags & SHF_ALLOC) || section.sh_flags & SHF_EXECINSTR) continue;
    if (section.sh_offset > file.size()) continue;
    best = std::max(best, find_in(file.substr(section.sh_offset, section.sh_size), text));
  }
  return best;
}

}  // namespace inspect::process
