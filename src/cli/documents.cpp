// Run by the build: writes manual pages and completions below a folder, each where an installation has it.
//   inspect-documents FOLDER
#include <cstdio>
#include <filesystem>

#include "base/files.hpp"
#include "cli/completion.hpp"
#include "cli/manual.hpp"

namespace inspect::cli {
namespace {

bool write(const std::filesystem::path& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  const auto error = write_file(path.string(), text);
  if (error) std::fprintf(stderr, "%s\n", error->message.c_str());
  return !error;
}

bool write_all(const std::filesystem::path& folder) {
  for (const Document& page : manual_pages(INSPECT_VERSION))
    if (!write(folder / "man/man1" / page.name, page.text)) return false;
  for (const std::string name : {"inspect-cc", "inspect-c++"})
    if (!write(folder / "bash-completion/completions" / name, bash_completion()) ||
        !write(folder / "fish/vendor_completions.d" / (name + ".fish"), fish_completion(name)))
      return false;
  return write(folder / "bash-completion/completions/inspect", bash_completion()) &&
         write(folder / "fish/vendor_completions.d/inspect.fish", fish_completion()) &&
         write(folder / "zsh/site-functions/_inspect", zsh_completion());
}

}  // namespace
}  // namespace inspect::cli

int main(int argc, char** argv) { return argc == 2 && inspect::cli::write_all(argv[1]) ? 0 : 1; }
