#include "symbolic/frontend/executable.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "hooks/kept_code.h"

namespace inspect::symbolic {

namespace {

using Elf = llvm::object::ELF64LEObjectFile;

// What the executable says of a global name.
struct Symbol {
  bool is_weak = false, is_model = false;  // of the runtime's own: its code lies in a section of its own
};

// The system's: their functions are what their names say.
constexpr const char* kLibraries[] = {"libc.so.6",     "libm.so.6",      "libpthread.so.0", "libdl.so.2",          "librt.so.1",
                                      "libgcc_s.so.1", "libstdc++.so.6", "libatomic.so.1",  "ld-linux-x86-64.so.2"};
// Code that compilers and the runtime add, and that does nothing to the program.
constexpr const char* kOwnBeginnings[] = {"frame_dummy", "__do_global_dtors_aux", "inspect_", "_ZN7inspect7runtime",
                                          "_ZN12_GLOBAL__N_15earlyEiPPcS1_"};  // of runtime/execution

template <class T>
std::optional<T> taken(llvm::Expected<T> value) {
  if (value) return std::move(*value);
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

// C files of the system's and the runtime's; the other files of the runtime are C++.
constexpr const char* kOwnFiles[] = {"", "Scrt1.o", "crt1.o", "crtstuff.c", "once_call.c"};

class Executable {
 public:
  Executable(const Elf& file, llvm::LLVMContext& context) : file_(file), context_(context) {}

  // Null: message() says why.
  std::unique_ptr<llvm::Module> module() {
    read_symbols();
    const auto code = section(INSPECT_KEPT_CODE_SECTION);
    if (!code) {
      message_ = "an executable that does not hold its code: build it with inspect-cc --inspect-bitcode, or give source files";
      return nullptr;
    }
    auto joined = joined_code(*code);
    if (!joined) return nullptr;
    message_ = other_code();
    if (message_.empty()) message_ = overridden(*joined);
    if (!message_.empty()) return nullptr;
    hide_foreign(*joined);
    return joined;
  }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  [[nodiscard]] std::optional<llvm::StringRef> section(llvm::StringRef name) const {
    for (const llvm::object::SectionRef& s : file_.sections())
      if (const auto its = taken(s.getName()); its && *its == name) return taken(s.getContents());
    return std::nullopt;
  }

  void read_symbols() {
    for (const llvm::object::ELFSymbolRef s : file_.symbols()) {
      const auto name = taken(s.getName());
      const auto flags = taken(s.getFlags());
      const auto address = taken(s.getAddress());
      if (name && s.getELFType() == llvm::ELF::STT_FILE) ++files_[name->str()];
      if (!name || !flags || !address || *flags & llvm::object::SymbolRef::SF_Undefined) continue;
      names_.emplace(*address, name->str());
      if (!(*flags & llvm::object::SymbolRef::SF_Global)) continue;
      Symbol symbol{.is_weak = (*flags & llvm::object::SymbolRef::SF_Weak) != 0};
      if (const auto where = taken(s.getSection()); where && *where != file_.section_end())
        if (const auto its = taken((*where)->getName())) symbol.is_model = *its == "inspect_models";
      symbols_[name->str()] = symbol;
    }
  }

  std::unique_ptr<llvm::Module> joined_code(llvm::StringRef code) {
    auto joined = std::make_unique<llvm::Module>("program", context_);
    llvm::Linker linker(*joined);
    bool is_first = true;
    constexpr std::size_t kHead = 16;
    while (!code.empty()) {
      if (code.front() == '\0') {  // between two parts
        code = code.drop_front();
        continue;
      }
      std::uint64_t head[2]{};
      if (code.size() >= kHead) std::memcpy(head, code.data(), kHead);
      if (head[0] != INSPECT_KEPT_CODE_MAGIC || head[1] > code.size() - kHead) {
        message_ = "an executable whose code was kept by something else than inspect-cc";
        return nullptr;
      }
      auto part = llvm::parseBitcodeFile(llvm::MemoryBufferRef(code.substr(kHead, head[1]), "an object's code"), context_);
      if (!part) {
        message_ = "code that cannot be read: " + llvm::toString(part.takeError());
        return nullptr;
      }
      code = code.drop_front(kHead + head[1]);
      ++parts_[llvm::sys::path::filename((*part)->getSourceFileName()).str()];
      if (is_first) {
        joined->setDataLayout((*part)->getDataLayout());
        joined->setTargetTriple((*part)->getTargetTriple());
        is_first = false;
      }
      if (linker.linkInModule(std::move(*part))) {
        message_ = "objects whose code does not fit together";
        return nullptr;
      }
    }
    return joined;
  }

  // What runs beside the program's own code; empty if nothing does.
  [[nodiscard]] std::string other_code() const {
    if (symbols_.empty()) return "an executable without symbols";
    for (const auto& [name, symbol] : symbols_)
      if (name.starts_with("__wrap_")) return "functions that the linker exchanges (--wrap)";
    for (const char* const name : {".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"})
      if (const auto array = section(name); array && !is_own(*array))
        return "code that runs before or after main, in an object without its code";
    const auto entries = taken(file_.getELFFile().dynamicEntries());
    for (std::size_t e = 0; entries && e < entries->size(); ++e)
      if (const auto& entry = (*entries)[e]; (entry.getTag() == llvm::ELF::DT_INIT && !is_named(entry.getVal(), "_init")) ||
                                             (entry.getTag() == llvm::ELF::DT_FINI && !is_named(entry.getVal(), "_fini")))
        return "code that runs before or after main, as the linker was told";
    return other_library();
  }

  [[nodiscard]] bool is_named(std::uint64_t address, const char* name) const {
    const auto [first, last] = names_.equal_range(address);
    return std::any_of(first, last, [&](const auto& entry) { return entry.second == name; });
  }

  [[nodiscard]] bool is_own(llvm::StringRef array) const {
    for (; array.size() >= 8; array = array.drop_front(8)) {
      std::uint64_t address = 0;
      std::memcpy(&address, array.data(), 8);
      const auto [first, last] = names_.equal_range(address);
      const bool known = std::any_of(first, last, [](const auto& entry) {
        return std::any_of(std::begin(kOwnBeginnings), std::end(kOwnBeginnings),
                           [&](const char* beginning) { return entry.second.starts_with(beginning); });
      });
      if (!known) return false;
    }
    return true;
  }

  [[nodiscard]] std::string other_library() const {
    const auto& elf = file_.getELFFile();
    const auto entries = taken(elf.dynamicEntries());
    const auto strings = section(".dynstr");
    if (!entries || !strings) return "";
    for (const auto& entry : *entries) {
      if (entry.getTag() != llvm::ELF::DT_NEEDED || entry.getVal() >= strings->size()) continue;
      const llvm::StringRef name(strings->data() + entry.getVal());
      if (std::find(std::begin(kLibraries), std::end(kLibraries), name) == std::end(kLibraries))
        return "a shared library: " + name.str();
    }
    return "";
  }

  // A definition for which the linker may have taken another one, of an object without its code.
  [[nodiscard]] std::string overridden(const llvm::Module& module) const {
    const std::string other = object_without_code();
    for (const llvm::GlobalValue& value : module.global_values()) {
      const bool is_weak = value.hasWeakAnyLinkage() || value.hasLinkOnceAnyLinkage();
      const std::string name = value.getName().str();
      const auto it = symbols_.find(name);
      if (is_weak && it != symbols_.end() && !it->second.is_weak) return "an object without its code, which defines " + name;
      if ((is_weak || value.hasCommonLinkage()) && !other.empty())
        return "an object without its code, " + other + ", which may define " + name;
    }
    return "";
  }

  // The source file of an object that has left no code, or other objects than those that are there; empty if there is none.
  [[nodiscard]] std::string object_without_code() const {
    const auto count = [](const std::map<std::string, int>& in, const std::string& name) {
      const auto it = in.find(name);
      return it == in.end() ? 0 : it->second;
    };
    for (const auto& [name, times] : files_) {
      const bool is_own = llvm::StringRef(name).ends_with(".cpp") ||
                          std::find(std::begin(kOwnFiles), std::end(kOwnFiles), name) != std::end(kOwnFiles);
      if (times > count(parts_, name) && !is_own) return name;
    }
    for (const auto& [name, times] : parts_)
      if (times > count(files_, name)) return "beside " + name;
    return "";
  }

  // A function that the program defines outside its code must not be taken for the library's of that name.
  void hide_foreign(llvm::Module& module) const {
    for (llvm::Function& function : module) {
      if (!function.isDeclaration() || function.isIntrinsic()) continue;
      const std::string name = function.getName().str();
      const auto it = symbols_.find(name);
      if (it == symbols_.end() || it->second.is_model || name.starts_with("inspect_")) continue;
      function.setName(name + " (defined in an object without its code)");
    }
  }

  const Elf& file_;
  llvm::LLVMContext& context_;
  std::map<std::string, Symbol> symbols_;
  std::map<std::string, int> files_, parts_;  // source files by name: of the executable's objects, of their code
  std::multimap<std::uint64_t, std::string> names_;
  std::string message_;
};

}  // namespace

std::unique_ptr<llvm::Module> load_program(const std::string& path, llvm::LLVMContext& context, LoadFailure& failure) {
  std::string first_error;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo* info, void* to) {
        auto& text = *static_cast<std::string*>(to);
        llvm::raw_string_ostream out(text);
        llvm::DiagnosticPrinterRawOStream printer(out);
        if (text.empty() && info->getSeverity() == llvm::DS_Error) info->print(printer);
      },
      &first_error);
  const auto done = [&](std::unique_ptr<llvm::Module> module) {
    context.setDiagnosticHandlerCallBack(nullptr);
    return module;
  };
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer) {
    failure.message = path + ": " + buffer.getError().message();
    return done(nullptr);
  }
  const llvm::StringRef content = (*buffer)->getBuffer();
  if (!content.starts_with(llvm::StringRef("\x7f"
                                           "ELF",
                                           4))) {
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseIR((*buffer)->getMemBufferRef(), diagnostic, context);
    if (!module) failure.message = path + ": " + diagnostic.getMessage().str();
    return done(std::move(module));
  }
  auto object = llvm::object::ObjectFile::createELFObjectFile((*buffer)->getMemBufferRef());
  const Elf* const elf = object ? llvm::dyn_cast<Elf>(object->get()) : nullptr;
  if (!object) llvm::consumeError(object.takeError());
  if (!elf) {
    failure.message = path + ": not an executable that can be read";
    return done(nullptr);
  }
  Executable executable(*elf, context);
  auto module = executable.module();
  if (!module) failure = {true, executable.message() + (first_error.empty() ? "" : ": " + first_error)};
  return done(std::move(module));
}

}  // namespace inspect::symbolic
