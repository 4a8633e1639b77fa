#include "compile/elf.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "base/digest.hpp"
#include "base/mapped_file.hpp"
#include "hooks/version.h"

namespace inspect::compile {
namespace {

constexpr std::string_view kRuntimeSection = "inspect_runtime", kStatesSection = "inspect_states",
                           kCodeSection = "inspect_code", kVersionSection = "inspect_version";

class Module {
 public:
  explicit Module(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  [[nodiscard]] std::string_view range(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return {};
    return bytes_.substr(offset, size);
  }

  [[nodiscard]] std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

 private:
  std::string_view bytes_;
};

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const unsigned char c : bytes) out += fmt::format("{:02x}", c);
  return out;
}

// The identifier in a SHT_NOTE section, if it is the GNU build id.
std::string build_id_note(const Module& module, const Elf64_Shdr& section) {
  const auto note = module.at<Elf64_Nhdr>(section.sh_offset);
  if (!note || note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4) return {};
  return hexadecimal(module.range(section.sh_offset + sizeof(Elf64_Nhdr) + 4, note->n_descsz));
}

// One word of each object that the pass made.
bool has_other_version(const Module& module, const Elf64_Shdr& section) {
  for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= section.sh_size; at += sizeof(std::uint64_t))
    if (module.at<std::uint64_t>(section.sh_offset + at) != INSPECT_HOOKS_VERSION) return true;
  return false;
}

std::string content_id(std::string_view bytes) { return "content-" + digest_of(bytes); }

}  // namespace

Result<ElfFacts> read_elf(const std::string& path) {
  const MappedFile file(path);
  const Module module(file.bytes());
  const auto header = module.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return Error{"not an ELF executable"};
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64) return Error{"not an x86-64 executable"};
  if (header->e_type != ET_EXEC && header->e_type != ET_DYN) return Error{"an object file, not an executable"};
  ElfFacts facts;
  const auto names = module.at<Elf64_Shdr>(header->e_shoff + std::uint64_t{header->e_shstrndx} * sizeof(Elf64_Shdr));
  for (unsigned i = 0; names && i < header->e_shnum; ++i) {
    const auto section = module.at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return Error{"a damaged ELF file"};
    const std::string_view name = module.text(names->sh_offset + section->sh_name);
    facts.instrumented |= name == kRuntimeSection;
    facts.states |= name == kStatesSection;
    facts.code |= name == kCodeSection;
    facts.other_hooks |= name == kVersionSection && has_other_version(module, *section);
    if (section->sh_type == SHT_NOTE && facts.build_id.empty()) facts.build_id = build_id_note(module, *section);
  }
  if (facts.build_id.empty()) facts.build_id = content_id(file.bytes());
  return facts;
}

}  // namespace inspect::compile
