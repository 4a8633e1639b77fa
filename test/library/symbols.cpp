#include "symbols.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace rows {
namespace {

// Objects that only the library's own code can make, and calls that end the process, start threads or wait: their rows follow
// the library's source. Beginnings of names.
constexpr const char* kNotCompared[] = {"_ZNSt12__cow_stringD", "_ZNSt8ios_base7failureB5cxx11D",
                                        // Owners of exceptions, and handlers.
                                        "_ZNSt15__exception_ptr", "_ZNKSt15__exception_ptr", "_ZSt17current_exception",
                                        "_ZSt17rethrow_exception", "_ZSt10unexpected", "_ZSt9terminate", "_ZSt13set_terminate",
                                        "_ZSt15set_new_handler", "__dynamic_cast", "_ZSt21__glibcxx_assert_fail",
                                        // Constant objects.
                                        "_ZNKSt3_V214error_category", "_ZNSt3_V214error_categoryD", "_ZNKSt9type_info",
                                        "_ZNSt9type_infoD", "_ZNSt19_Sp_make_shared_tag", "_ZNSaIcE", "_ZNSaIwE",
                                        // Threads: the runtime models what they call.
                                        "_ZNSt6thread15_M_start_thread", "_ZNSt6thread4join", "_ZNSt6thread6detach",
                                        "_ZNSt6thread6_StateD", "_ZNSt18condition_variable", "_ZNSt22condition_variable_any",
                                        "_ZNSt11this_thread", "__once_proxy", "_ZNSt28__atomic_futex", "_ZNSt13__future_base",
                                        "_ZNSt10_Sp_locker",
                                        // Locales and streams.
                                        "_ZNKSt6locale4name", "_ZNKSt6locale2id", "_ZNSt6locale5_Impl", "_ZNSt6locale5facetD",
                                        "_ZNKSt5ctypeIcE", "_ZNKSt7__cxx118numpunct", "_ZNKSt7codecvtIcc", "_ZNSt8ios_base",
                                        "_ZNSt12__basic_file", "_ZNKSt12__basic_file", "_ZNSt10__num_base",
                                        // Files, and random_device, which the runtime defines.
                                        "_ZNKSt10filesystem7__cxx114path5_List13_Impl_deleter", "_ZNSt10filesystem1",
                                        "_ZNSt10filesystem6", "_ZNSt10filesystem9", "_ZNSt13random_device"};

std::string path_of_library() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        if (std::strstr(info->dlpi_name, "/libstdc++.so")) *static_cast<std::string*>(found) = info->dlpi_name;
        return 0;
      },
      &path);
  return path;
}

std::vector<std::string> read_symbols(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> names;
  Elf64_Ehdr head;
  if (bytes.size() < sizeof head) return names;
  std::memcpy(&head, bytes.data(), sizeof head);
  const auto* const sections = reinterpret_cast<const Elf64_Shdr*>(bytes.data() + head.e_shoff);
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const auto* const symbols = reinterpret_cast<const Elf64_Sym*>(bytes.data() + sections[i].sh_offset);
    const char* const texts = bytes.data() + sections[sections[i].sh_link].sh_offset;
    for (std::size_t k = 0; k < sections[i].sh_size / sizeof *symbols; ++k)
      if (symbols[k].st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC)
        names.emplace_back(texts + symbols[k].st_name);
  }
  return names;
}

}  // namespace

const std::vector<std::string>& exported_functions() {
  static const auto names = read_symbols(path_of_library());
  return names;
}

bool is_not_compared(std::string_view name) {
  if (name.ends_with("D0Ev")) return true;  // frees its object too
  for (const char* const beginning : kNotCompared)
    if (name.starts_with(beginning)) return true;
  return false;
}

}  // namespace rows
