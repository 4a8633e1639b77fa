#include "process/symbols.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "base/mapped_file.hpp"
#include "hooks/library_table.hpp"

namespace inspect::process {
namespace {

// Tables in a file; every access is checked against its size.
class Tables {
 public:
  explicit Tables(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  [[nodiscard]] std::span<const T> table(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return {};
    return {reinterpret_cast<const T*>(bytes_.data() + offset), count};
  }
  [[nodiscard]] std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    return {bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset)};
  }

 private:
  std::string_view bytes_;
};

Symbols read_symbols(const Tables& file, const Elf64_Shdr& section, const Elf64_Shdr& strings, unsigned type) {
  Symbols symbols;
  for (const Elf64_Sym& symbol : file.table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym)))
    if (ELF64_ST_TYPE(symbol.st_info) == type && symbol.st_shndx != SHN_UNDEF && symbol.st_size)
      symbols.insert_or_assign(symbol.st_value, Symbol{symbol.st_size, file.text(strings.sh_offset + symbol.st_name)});
  return symbols;
}

// Where the addresses of functions of other modules stand.
void read_imported(const Tables& file, std::span<const Elf64_Shdr> sections, std::map<std::uint64_t, std::string>& imported) {
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_RELA || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& symbols = sections[section.sh_link];
    if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= sections.size()) continue;
    const auto table = file.table<Elf64_Sym>(symbols.sh_offset, symbols.sh_size / sizeof(Elf64_Sym));
    for (const Elf64_Rela& entry : file.table<Elf64_Rela>(section.sh_offset, section.sh_size / sizeof(Elf64_Rela)))
      if (ELF64_R_TYPE(entry.r_info) == R_X86_64_JUMP_SLOT && ELF64_R_SYM(entry.r_info) < table.size())
        imported[entry.r_offset] = file.text(sections[symbols.sh_link].sh_offset + table[ELF64_R_SYM(entry.r_info)].st_name);
  }
}

// The last symbol that begins there or before, if it reaches so far.
Symbols::const_iterator symbol_at(const Symbols& symbols, std::uint64_t offset) {
  const auto after = symbols.upper_bound(offset);
  if (after == symbols.begin()) return symbols.end();
  const auto found = std::prev(after);
  return offset - found->first < found->second.size ? found : symbols.end();
}

// State behind the library's functions, which stands in one object (hooks.def).
std::string library_state(std::uint64_t offset) {
  const std::uint64_t number = offset / library::kLibraryStateBytes;
  if (number >= std::size(library::kLibraryStates)) return "library state";
  std::string name(library::kLibraryStates[number]);
  std::replace(name.begin(), name.end(), '_', ' ');
  return "library state (" + name + ")";
}

}  // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // "a" would demangle to a type
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

std::string section_of(const std::string& path, const std::string& name) {
  const MappedFile mapped(path);
  const Tables file(mapped.bytes());
  const auto header = file.table<Elf64_Ehdr>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto sections = file.table<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
  if (header[0].e_shstrndx >= sections.size()) return {};
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_NOBITS || file.text(sections[header[0].e_shstrndx].sh_offset + section.sh_name) != name)
      continue;
    const auto bytes = file.table<char>(section.sh_offset, section.sh_size);
    return {bytes.begin(), bytes.end()};
  }
  return {};
}

SymbolTable SymbolTable::read(const std::string& path) {
  SymbolTable table;
  const MappedFile mapped(path);
  const Tables file(mapped.bytes());
  const auto header = file.table<Elf64_Ehdr>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return table;
  const auto sections = file.table<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
  read_imported(file, sections, table.imported_);
  for (const Elf64_Shdr& section : sections)
    if (section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) && !(section.sh_flags & (SHF_WRITE | SHF_EXECINSTR)))
      table.constants_.emplace_back(section.sh_addr, section.sh_addr + section.sh_size);
  for (const Elf64_Shdr& section : sections)
    if (section.sh_type == SHT_SYMTAB && section.sh_link < sections.size()) {
      table.objects_ = read_symbols(file, section, sections[section.sh_link], STT_OBJECT);
      table.functions_ = read_symbols(file, section, sections[section.sh_link], STT_FUNC);
    }
  return table;
}

std::string SymbolTable::object_at(std::uint64_t offset) const {
  const auto found = symbol_at(objects_, offset);
  if (found == objects_.end()) return {};
  const auto& [address, symbol] = *found;
  if (symbol.name == "inspect_library_state") return library_state(offset - address);
  return demangled(symbol.name) + (offset == address ? "" : "[+" + std::to_string(offset - address) + "]");
}

std::string SymbolTable::imported_at(std::uint64_t offset) const {
  const auto found = imported_.find(offset);
  return found == imported_.end() ? std::string() : found->second;
}

std::vector<std::pair<std::uint64_t, std::string>> SymbolTable::thread_locals() const {
  constexpr std::string_view kDescriptor = "__inspect_tls.";  // as the pass names it
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const auto& [address, symbol] : objects_)
    if (symbol.name.starts_with(kDescriptor)) found.emplace_back(address, symbol.name.substr(kDescriptor.size()));
  return found;
}

bool SymbolTable::is_constant(std::uint64_t offset) const {
  return std::ranges::any_of(constants_, [&](const auto& c) { return offset >= c.first && offset < c.second; });
}

std::string SymbolTable::function_at(std::uint64_t offset) const {
  const auto found = symbol_at(functions_, offset);
  return found == functions_.end() ? std::string() : found->second.name;
}

}  // namespace inspect::process
