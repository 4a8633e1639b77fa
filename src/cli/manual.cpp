#include "cli/manual.hpp"

#include <fmt/format.h>

#include "cli/algorithms.hpp"
#include "cli/usage.hpp"

namespace inspect::cli {
namespace {

// Text that stands as it is: no hyphens that are typeset, no control lines.
std::string literal(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return out;
}

std::string capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string heading(const std::string& page, std::string_view purpose, const std::string& version) {
  return fmt::format(".TH {} 1 \"\" \"inspect {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", literal(capitals(page)), version,
                     literal(page), literal(purpose));
}

// Between angle brackets of the macros: the option in bold, its argument in italics.
std::string option_entry(const std::string& option, std::string argument, std::string_view help) {
  std::string left = ".B " + literal(option) + '\n';
  if (!argument.empty()) {
    const std::string sign(1, argument[0]);
    argument.erase(0, 1);
    left = fmt::format(".BI \"{}{}\" \"{}\"\n", literal(option), sign, literal(argument));
  }
  return ".TP\n" + left + literal(help) + ".\n";
}

std::string see_also(const std::vector<std::string_view>& names) {
  std::string out = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format(".BR {} (1){}\n", literal(names[i]), i + 1 < names.size() ? "," : "");
  return out;
}

std::string overview(const std::string& version) {
  std::string out = heading("inspect", "model checker for multithreaded C and C++ programs", version) + ".SH SYNOPSIS\n.nf\n";
  for (const CommandText& command : command_table()) out += literal(command.synopsis) + '\n';
  out +=
      ".fi\n.SH DESCRIPTION\nCompiles a program, runs it natively again and again under every thread schedule that can make a\n"
      "difference, and says that it is verified, shows a bug with a schedule that replays it, or says why neither could be\n"
      "told.\n.SH COMMANDS\n";
  for (const CommandText& command : command_table())
    out += fmt::format(".TP\n.BR inspect\\-{} (1)\n{}.\n", command.name, literal(command.purpose));
  return out + ".SH EXIT STATUS\n" + literal(exit_status_text(Check)) +
         ".SH EXAMPLES\n.nf\ninspect check bank.c\ninspect replay inspect\\-bug.schedule\n"
         "inspect report inspect\\-bug.schedule \\-\\-html=bug.html\n.fi\n" +
         see_also({"inspect-check", "inspect-replay", "inspect-report", "inspect-cc", "inspect-c++"});
}

// What src/process/gdb/commands.py adds to gdb.
std::string debugger_section() {
  std::string out =
      ".SH DEBUGGER\nAt a terminal gdb stops before the decisive switch, where there is one; continue goes on to the bug.\n"
      "Besides gdb's own commands there are:\n";
  out += option_entry("inspect-next", " [N]", "to the next step of the schedule, or N further");
  out += option_entry("inspect-prev", " [N]", "back by one step, or N of them, by running again");
  out += option_entry("inspect-goto", " N", "to before step N");
  out += option_entry("inspect-switch", "", "to before the decisive switch");
  out += option_entry("inspect-where", " [all]", "the interleaving with the present step marked");
  out += option_entry("inspect-thread", " NAME", "selects a thread by its name in the report, such as 0.1");
  out += option_entry("info threads", " [ID]...", "the threads by these names, each where it stands in your code");
  return out;
}

std::string command_page(const CommandText& command, const std::string& version) {
  const std::string name = "inspect-" + std::string(command.name);
  std::string out = heading(name, command.purpose, version) + ".SH SYNOPSIS\n" + literal(command.synopsis) + '\n';
  if (command.command == Check) out += ".SH DESCRIPTION\n" + literal(targets_text());
  out += ".SH OPTIONS\n" + option_entry("--help", "", "the options of this command");
  for (const OptionRow& row : option_table())
    if (row.commands & command.command) out += option_entry(spelling(row), argument_text(row), help_text(row));
  if (command.command == Replay) out += debugger_section();
  out +=
      ".SH ENVIRONMENT\nEach option is an environment variable too, such as\n.B INSPECT_MAX_EXECUTIONS\n"
      "for\n.BR \\-\\-max\\-executions .\nThe command line wins; \\-\\-no\\-NAME switches an option without an argument off "
      "again.\n"
      ".SH EXIT STATUS\n";
  return out + literal(exit_status_text(command.command)) + see_also({"inspect", "inspect-cc"});
}

std::string wrapper_page(const std::string& version) {
  std::string out =
      heading("inspect-cc", "compilers whose programs inspect can check", version) +
      ".SH SYNOPSIS\n.nf\ninspect\\-cc [options] [options and files of clang]\n"
      "inspect\\-c++ [options] [options and files of clang++]\n.fi\n"
      ".SH DESCRIPTION\nclang and clang++, with a pass that inserts hooks for\n.BR inspect (1),\n"
      "and with its runtime in what they link. All options of clang are passed on. Sanitizers that take threads or\n"
      "memory into their own hands are refused.\n.SH OPTIONS\n";
#define WRAPPER_OPTION(member, name, help) out += option_entry(name, "", filled(help));
#include "instrument/wrapper_options.def"
  return out +
         ".SH EXAMPLES\n.nf\nCC=inspect\\-cc CXX=inspect\\-c++ ./configure && make\ninspect check ./queue_test\n.fi\n"
         ".SH EXIT STATUS\nThat of clang; 2 if it cannot be run, or an option is refused.\n" +
         see_also({"inspect", "inspect-check", "clang-19"});
}

}  // namespace

std::vector<Document> manual_pages(const std::string& version) {
  std::vector<Document> pages{{"inspect.1", overview(version)}};
  for (const CommandText& command : command_table())
    pages.push_back({fmt::format("inspect-{}.1", command.name), command_page(command, version)});
  pages.push_back({"inspect-cc.1", wrapper_page(version)});
  pages.push_back({"inspect-c++.1", ".so man1/inspect-cc.1\n"});
  return pages;
}

}  // namespace inspect::cli
