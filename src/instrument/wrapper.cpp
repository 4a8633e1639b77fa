// inspect-cc and inspect-c++: clang with the pass plugin when compiling, and the runtime when linking.
//
// Guarantees: every argument but those of wrapper_options.def reaches clang as given, in its order;
// ours stand around them and never warn; whatever they say there is debug information; clang's exit status is ours.
// Deliberately unknown here: what the arguments mean, beyond which steps of compilation they ask for.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using Arguments = std::vector<std::string>;

constexpr int kBadUsage = 2;

// What the command line asks clang to do.
struct Job {
  bool has_input = false;
  bool question = false;             // clang is only asked about itself
  bool compiles = true;              // some translation unit may be compiled to code
  bool links = true;                 // an executable or a library is linked
  bool shared = false;               // -shared: no runtime in it
  bool partial = false;              // -r: nothing of ours in it
  std::vector<const char*> of_pass;  // what our own options ask the pass for
};

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

template <std::size_t N>
bool is_any(std::string_view text, const char* const (&names)[N]) {
  return std::any_of(std::begin(names), std::end(names), [&](const char* name) { return text == name; });
}

// Options whose value is the next argument: it is no input file.
constexpr const char* kWithValue[] = {"-o",
                                      "-x",
                                      "-I",
                                      "-D",
                                      "-U",
                                      "-L",
                                      "-l",
                                      "-include",
                                      "-imacros",
                                      "-isystem",
                                      "-iquote",
                                      "-idirafter",
                                      "-iprefix",
                                      "-isysroot",
                                      "-MF",
                                      "-MT",
                                      "-MQ",
                                      "-Xclang",
                                      "-Xlinker",
                                      "-Xassembler",
                                      "-Xpreprocessor",
                                      "-arch",
                                      "-target",
                                      "-T",
                                      "-u",
                                      "-z",
                                      "-e",
                                      "-rpath",
                                      "-mllvm",
                                      "-aux-info",
                                      "-iwithprefix",
                                      "-iwithprefixbefore",
                                      "-imultilib",
                                      "-isystem-after",
                                      "-b",
                                      "-V",
                                      "-G",
                                      "--param",
                                      "-F",
                                      "-iframework",
                                      "-dumpdir",
                                      "-serialize-diagnostics"};
constexpr const char* kNoCode[] = {"-E", "-M", "-MM", "-fsyntax-only", "--analyze", "-dM"};
constexpr const char* kNoLink[] = {"-c", "-S", "-emit-ast", "--precompile"};
constexpr const char* kQuestions[] = {"--version", "-dumpversion", "-dumpmachine", "--help", "-###"};

void refuse_sanitizers(std::string_view argument);

void read_option(Job& job, std::string_view argument) {
  refuse_sanitizers(argument);
  if (is_any(argument, kNoCode)) job.compiles = job.links = false;
  if (is_any(argument, kNoLink)) job.links = false;
  if (is_any(argument, kQuestions) || starts_with(argument, "-print-") || starts_with(argument, "--print-"))
    job.question = true;
  if (argument == "-shared" || argument == "--shared" || argument == "-Wl,-shared") job.shared = true;
  if (argument == "-r" || argument == "-Wl,-r" || argument == "-Wl,--relocatable") job.partial = true;
}

// Sanitizers with a runtime of their own that takes threads, memory or stacks into its hands, as ours does.
void refuse_sanitizers(std::string_view argument) {
  constexpr const char* kRefused[] = {"address",       "hwaddress", "kernel-address", "thread", "memory",
                                      "kernel-memory", "leak",      "dataflow",       "fuzzer", "safe-stack",
                                      "memtag-stack",  "numerical", "realtime"};
  constexpr std::string_view kOption = "-fsanitize=";
  if (!starts_with(argument, kOption)) return;
  for (std::string_view rest = argument.substr(kOption.size()); !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    if (!is_any(one, kRefused)) continue;
    std::fprintf(stderr,
                 "inspect-cc: -fsanitize=%.*s cannot be combined with inspect, which finds such errors itself; leave it out\n",
                 int(one.size()), one.data());
    std::exit(kBadUsage);
  }
}

// Options may also stand in a response file.
void read_response_file(Job& job, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (!file) return;
  job.has_input = true;
  std::string word;
  for (int c = std::fgetc(file);; c = std::fgetc(file)) {
    if (c != EOF && !std::strchr(" \t\r\n", c)) {
      word += char(c);
      continue;
    }
    read_option(job, word);
    word.clear();
    if (c == EOF) break;
  }
  std::fclose(file);
}

Job read(const Arguments& arguments) {
  Job job;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (is_any(argument, kWithValue)) {
      ++i;
    } else if (argument.size() > 1 && argument[0] == '@') {
      read_response_file(job, argument.substr(1));
    } else if (argument.size() > 1 && argument[0] == '-') {
      read_option(job, argument);
      if (starts_with(argument, "-l") || starts_with(argument, "-Wl,")) continue;
    } else {
      job.has_input = true;
    }
  }
  return job;
}

// Where our parts are: <prefix>/lib/inspect, <prefix>/include.
std::filesystem::path own_prefix() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return self.parent_path().parent_path();
  std::fprintf(stderr, "inspect-cc: cannot read /proc/self/exe: %s\n", error.message().c_str());
  std::exit(kBadUsage);
}

bool is_readable(const std::filesystem::path& path) { return access(path.c_str(), R_OK) == 0; }

void add_code_options(Arguments& command, const Job& job, const std::filesystem::path& prefix) {
  const std::string plugin = (prefix / "lib/inspect/libinspect-pass.so").string();
  command.push_back("-fpass-plugin=" + plugin);
  if (!job.of_pass.empty()) command.push_back("-fplugin=" + plugin);
  for (const char* const option : job.of_pass) {
    command.emplace_back("-mllvm");
    command.emplace_back(option);
  }
  for (const char* option :
       {"-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer", "-ftrivial-auto-var-init=zero", "-pthread",
        // Without it there are no marks of where a block's objects begin and end unless the code is optimised.
        "-Xclang", "-fsanitize-address-use-after-scope",
        // And it is told by their names which objects are compound literals.
        "-fno-discard-value-names"})
    command.emplace_back(option);
}

// Ours come first, so that a later option of the user's wins, and never warn about being unused.
void add_compile_options(Arguments& command, const Job& job, const std::filesystem::path& prefix) {
  command.emplace_back("--start-no-unused-arguments");
  command.emplace_back("-D__INSPECT__=1");
  command.push_back("-idirafter" + (prefix / "include").string());
  if (job.compiles) add_code_options(command, job, prefix);
  command.emplace_back("--end-no-unused-arguments");
}

// After the user's options, of which the last would win: blocks and temporaries are told from debug information.
void add_debug_option(Arguments& command, Arguments::iterator before) {
  command.insert(before, {"--start-no-unused-arguments", "-g", "--end-no-unused-arguments"});
}

// After the user's inputs: language options like -x no longer apply to the archive.
void add_link_options(Arguments& command, const std::filesystem::path& prefix, bool plus) {
  const std::filesystem::path folder = prefix / "lib/inspect";
  command.emplace_back("--start-no-unused-arguments");
  // What a program uses of it takes the place of the C++ library's, which clang names last.
  if (const auto archive = folder / "libinspect-standard.a"; plus && is_readable(archive))
    command.push_back("-Wl,-u,inspect_part_exceptions," + archive.string());
  command.emplace_back("-Wl,--whole-archive," + (folder / "libinspect-runtime.a").string() + ",--no-whole-archive");
  if (const auto list = folder / "runtime.list"; is_readable(list)) command.push_back("-Wl,--dynamic-list=" + list.string());
  for (const char* option : {"-Wl,-z,now", "-pthread", "-ldl"}) command.emplace_back(option);
  command.emplace_back("--end-no-unused-arguments");
}

// A library finds the runtime in the program that loads it, so what it lacks at its own link is no error.
void add_library_options(Arguments& command, const std::filesystem::path& prefix) {
  command.emplace_back("--start-no-unused-arguments");
  command.push_back("-Wl," + (prefix / "lib/inspect/inspect-library.o").string());
  command.emplace_back("-Wl,-z,undefs");
  command.emplace_back("--end-no-unused-arguments");
}

[[noreturn]] void run(const Arguments& command) {
  std::vector<char*> raw;
  raw.reserve(command.size() + 1);
  for (const std::string& argument : command) raw.push_back(const_cast<char*>(argument.c_str()));
  raw.push_back(nullptr);
  execvp(raw[0], raw.data());
  const bool missing = errno == ENOENT;
  std::fprintf(stderr, "inspect-cc: cannot run %s: %s%s\n", raw[0], std::strerror(errno),
               missing ? "; install clang 19 (Debian: apt-get install clang-19)" : "");
  std::exit(kBadUsage);
}

// Removes our options; what they ask the pass for.
std::vector<const char*> take_own_options(Arguments& arguments) {
  std::vector<const char*> of_pass;
#define WRAPPER_OPTION(member, name, help) \
  if (std::erase(arguments, name) > 0) of_pass.push_back("-inspect-" #member);
#include "instrument/wrapper_options.def"
  return of_pass;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 0 ? argv[0] : "inspect-cc";
  const bool plus = name.size() >= 2 && name.substr(name.size() - 2) == "++";
  Arguments arguments(argv + std::min(argc, 1), argv + argc);
  const std::vector<const char*> of_pass = take_own_options(arguments);
  Job job = read(arguments);
  job.of_pass = of_pass;
  Arguments command{plus ? "clang++-19" : "clang-19"};
  if (!job.has_input || job.question) {
    command.insert(command.end(), arguments.begin(), arguments.end());
    run(command);
  }
  const std::filesystem::path prefix = own_prefix();
  add_compile_options(command, job, prefix);
  const auto inputs_only = std::find(arguments.begin(), arguments.end(), "--");
  if (job.compiles) add_debug_option(arguments, inputs_only);
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (job.links && !job.partial) job.shared ? add_library_options(command, prefix) : add_link_options(command, prefix, plus);
  run(command);
}
