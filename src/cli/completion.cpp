#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/algorithms.hpp"
#include "cli/usage.hpp"

namespace inspect::cli {
namespace {

struct WrapperOption {
  std::string_view name, help;
};

constexpr WrapperOption kWrapperOptions[] = {
#define WRAPPER_OPTION(member, name, help) {name, help},
#include "instrument/wrapper_options.def"
};

// In single quotes of a shell (fish too). A backslash is written as one only by fish's rules, and no text has any.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

template <class Use>
void for_options(Command command, const Use& use) {
  for (const OptionRow& row : option_table())
    if (row.commands & command) use(row);
}

std::string command_names() {
  std::string out;
  for (const CommandText& command : command_table()) out += (out.empty() ? "" : " ") + std::string(command.name);
  return out;
}

std::string bash_options(Command command) {
  std::string out = "--help";
  for_options(command, [&](const OptionRow& row) {
    const bool more = row.kind != OptionKind::Flag && row.name.size() > 1;
    out += ' ' + spelling(row) + (more ? "=" : "");
    if (row.kind == OptionKind::Flag) out += " --no-" + std::string(row.name);
  });
  return out;
}

std::string bash_values() {
  std::string out, files;
  for (const OptionRow& row : option_table()) {
    if (row.kind == OptionKind::Word)
      out += fmt::format("    {}) words='{}' ;;\n", spelling(row), fmt::join(split_bar(row.argument), " "));
    if (row.kind == OptionKind::File) files += (files.empty() ? "" : " | ") + spelling(row);
  }
  return out + "    " + files + ") files=1 ;;\n";
}

// What a target is: for zsh's patterns and fish's tests.
constexpr std::string_view kSourceEndings = "c|cc|cpp|cxx";

std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) out += (c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out;
}

std::string zsh_option(const OptionRow& row) {
  const std::string name = spelling(row), help = zsh_text(filled(row.help));
  const std::string kind = row.kind == OptionKind::Words ? "*" : "";
  switch (row.kind) {
    case OptionKind::Flag:
      return quoted(fmt::format("(--no-{1}){0}[{2}]", name, row.name, help)) + ' ' +
             quoted(fmt::format("({0})--no-{1}[not {0}]", name, row.name));
    case OptionKind::Word:
      return quoted(fmt::format("{}=[{}]:word:({})", name, help, fmt::join(split_bar(row.argument), " ")));
    case OptionKind::File:
      return quoted(fmt::format("{}=[{}]:file:_files", name, help));
    case OptionKind::Count:
    case OptionKind::Seconds:
    case OptionKind::Bytes:
    case OptionKind::ExitStatus:
    case OptionKind::Text:
    case OptionKind::Words:
    case OptionKind::Inputs:
      return quoted(fmt::format("{}{}{}[{}]:{}: ", kind, name, row.name.size() > 1 ? "=" : "", help, zsh_text(row.argument)));
  }
  return {};
}

std::string fish_option(std::string_view command_name, const OptionRow& row) {
  const std::string when = fmt::format("complete -c inspect -n '__fish_seen_subcommand_from {}'", command_name);
  const std::string name = fmt::format("-{} {}", row.name.size() == 1 ? 's' : 'l', row.name),
                    help = "-d " + quoted(filled(row.help));
  if (row.kind == OptionKind::Flag)
    return fmt::format("{} {} {}\n{} -l no-{} -d 'not {}'\n", when, name, help, when, row.name, spelling(row));
  if (row.kind == OptionKind::Word)
    return fmt::format("{} {} -x -a '{}' {}\n", when, name, fmt::join(split_bar(row.argument), " "), help);
  return fmt::format("{} {} -{} {}\n", when, name, row.kind == OptionKind::File ? "rF" : "x", help);
}

}  // namespace

std::string bash_completion() {
  std::string options;
  for (const CommandText& command : command_table())
    options += fmt::format("    {}) words='{}' ;;\n", command.name, bash_options(command.command));
  std::string wrappers;
  for (const WrapperOption& option : kWrapperOptions) wrappers += ' ' + std::string(option.name);
  // A value is a word of its own where `=` separates words, else it comes with its option.
  return fmt::format(R"(# bash completion for inspect; made from its table of options
_inspect() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} option= words= files= own= prefix=
  local -a before=("${{COMP_WORDS[@]:1:COMP_CWORD-1}}")
  COMPREPLY=()
  if [[ " ${{before[*]}} " == *' -- '* ]]; then own=1; fi
  if ((COMP_CWORD >= 2)); then
    if [[ $current == '=' ]]; then
      option=${{COMP_WORDS[COMP_CWORD-1]}} current=
    elif [[ ${{COMP_WORDS[COMP_CWORD-1]}} == '=' ]]; then
      option=${{COMP_WORDS[COMP_CWORD-2]}}
    elif [[ $current == --*=* ]]; then
      option=${{current%%=*}} prefix=$option= current=${{current#*=}}
    else
      option=${{COMP_WORDS[COMP_CWORD-1]}}
    fi
  fi
  case $option in
{0}    *) option= ;;
  esac
  if [[ $own ]]; then
    files=1 words= prefix=
  elif [[ $option ]]; then
    :
  elif ((COMP_CWORD == 1)); then
    words='{1} --help --version'
  elif [[ $current == -* ]]; then
    case ${{COMP_WORDS[1]}} in
{2}    esac
  else
    files=1
  fi
  if [[ $files ]]; then
    local file shown='*'
    if [[ ! $own && ! $option ]]; then
      case ${{COMP_WORDS[1]}} in replay | report) shown='*.schedule' ;; esac
    fi
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
      if [[ -d $file || $file == $shown ]]; then COMPREPLY+=("$prefix$file"); fi
    done < <(compgen -f -- "$current")
  elif [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "$current")
    if [[ ${{COMPREPLY[0]-}} == *= ]] && ((${{#COMPREPLY[@]}} == 1)); then compopt -o nospace 2>/dev/null; fi
  fi
}}
_inspect_cc() {{
  local current=${{COMP_WORDS[COMP_CWORD]}}
  COMPREPLY=()
  if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W '{3}' -- "$current"); fi
}}
complete -F _inspect inspect
complete -o default -F _inspect_cc inspect-cc inspect-c++
)",
                     bash_values(), command_names(), options, wrappers.substr(1));
}

std::string zsh_completion() {
  std::string commands, cases, wrappers;
  for (const CommandText& command : command_table()) {
    commands += fmt::format("      '{}:{}'\n", command.name, zsh_text(command.purpose));
    std::string options;
    for_options(command.command, [&](const OptionRow& row) { options += " \\\n        " + zsh_option(row); });
    const std::string targets = command.command == Check
                                    ? fmt::format("'*:target:_files -g \"*.({})(-.) *(*)\"'", kSourceEndings)
                                    : std::string("'*:schedule:_files -g \"*.schedule(-.)\"'");
    cases += fmt::format("    {})\n      _arguments -S '--help[the options of this command]'{} \\\n        {} ;;\n",
                         command.name, options, targets);
  }
  for (const WrapperOption& option : kWrapperOptions)
    wrappers += fmt::format(" \\\n    '{}[{}]'", option.name, zsh_text(filled(option.help)));
  return fmt::format(R"(#compdef inspect inspect-cc inspect-c++
# zsh completion for inspect; made from its table of options
if [[ $service != inspect ]]; then
  _arguments{0} \
    '*:file:_files'
  return
fi
if ((CURRENT == 2)); then
  local -a commands=(
{1}  )
  _describe command commands
  _values option '--help[the commands]' '--version[the version]'
  return
fi
local command=$words[2]
shift words
((CURRENT--))
case $command in
{2}esac
)",
                     wrappers, commands, cases);
}

std::string fish_completion() {
  std::string out = "# fish completion for inspect; made from its table of options\n";
  const std::string none = fmt::format("'not __fish_seen_subcommand_from {}'", command_names());
  out += fmt::format("complete -c inspect -n {} -f -l help -d 'the commands'\n", none);
  out += fmt::format("complete -c inspect -n {} -f -l version -d 'the version'\n", none);
  for (const CommandText& command : command_table())
    out += fmt::format("complete -c inspect -n {} -f -a {} -d {}\n", none, command.name, quoted(command.purpose));
  for (const CommandText& command : command_table()) {
    out += fmt::format("complete -c inspect -n '__fish_seen_subcommand_from {}' -l help -d 'the options of this command'\n",
                       command.name);
    for_options(command.command, [&](const OptionRow& row) { out += fish_option(command.name, row); });
    if (command.command != Check)
      out +=
          fmt::format("complete -c inspect -n '__fish_seen_subcommand_from {}' -k -xa '(__fish_complete_suffix .schedule)'\n",
                      command.name);
  }
  return out;
}

std::string fish_completion(std::string_view wrapper) {
  std::string out;
  for (const WrapperOption& option : kWrapperOptions)
    out += fmt::format("complete -c {} -l {} -d {}\n", wrapper, option.name.substr(2), quoted(filled(option.help)));
  return out;
}

}  // namespace inspect::cli
