#include "runtime/environment/library_actions.hpp"
#include "runtime/environment/search_tree.hpp"

#include <dirent.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <locale.h>
#include <pwd.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include <initializer_list>

#include "runtime/environment/file_path.hpp"
#include "runtime/environment/number_text.hpp"

// By names that no program has for something else. signgam is in the library of mathematics, which may be missing.
extern "C" {
extern char **__environ, *__tzname[2];
extern int __daylight, __signgam __attribute__((weak));
extern long __timezone;
}

namespace inspect::runtime {

namespace {

constexpr std::uint64_t kNoLimit = ~0ull;

// A call whose arguments are looked at as what they are.
class Acts {
 public:
  Acts(const LibraryCall& call, const void* site) : call_(call), site_(site) {}

  void perform(LibraryAction action) {
    switch (action) {
#define ACTION(name)        \
  case LibraryAction::name: \
    return name();
#include "hooks/library_actions.def"
      case LibraryAction::count:
        return;
    }
  }

 private:
  const LibraryCall& call_;
  const void* site_;

  template <class T = char>
  T* pointer(unsigned i) const {
    return reinterpret_cast<T*>(call_.arguments[i]);
  }
  std::uint64_t number(unsigned i) const { return call_.arguments[i]; }
  template <class T>
  T* result() const {
    return reinterpret_cast<T*>(call_.result);
  }
  int status() const { return int(call_.result); }

  void read(const void* address, std::size_t size) { touch_read(address, size, site_); }
  void write(const void* address, std::size_t size) { touch_write(address, size, site_); }
  void read_text(const char* text) { read(text, text_size(text, kNoLimit, 1)); }
  void write_text(const char* text) { write(text, text_size(text, kNoLimit, 1)); }

  // --- searches
  static std::size_t until_byte(const char* text, std::uint64_t byte, std::size_t limit) {
    for (std::size_t i = 0; i < limit; ++i)
      if (text[i] == char(byte)) return i + 1;
    return limit;
  }
  void hold_a_lock() {}  // that its thread must not be cancelled with: inspect_act sees to that
  void find_byte() { read(pointer(0), until_byte(pointer(0), number(1), number(2))); }
  void find_byte_endless() { read(pointer(0), until_byte(pointer(0), number(1), kNoLimit)); }
  void find_character() {
    const char* const text = pointer(0);
    std::size_t i = 0;
    while (text[i] && text[i] != char(number(1))) ++i;
    read(text, i + 1);
  }
  void copy_to_byte() {
    const std::size_t size = until_byte(pointer(1), number(2), number(3));
    read(pointer(1), size);
    write(pointer(0), size);
  }
  void swap_bytes() {
    const auto size = std::int64_t(number(2)) & ~1l;
    if (size <= 0) return;
    read(pointer(0), std::size_t(size));
    write(pointer(1), std::size_t(size));
  }
  void find_wide() {
    const wchar_t* const text = pointer<wchar_t>(0);
    std::size_t i = 0;
    while (i < number(2) && text[i] != wchar_t(number(1))) ++i;
    read(text, (i < number(2) ? i + 1 : i) * sizeof *text);
  }

  static unsigned char folded(char c) { return std::uint8_t(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }
  // Both texts up to where they differ.
  void compare(std::size_t limit, bool fold) {
    const char *const a = pointer(0), *const b = pointer(1);
    std::size_t i = 0;
    while (i < limit && a[i] && (fold ? folded(a[i]) == folded(b[i]) : a[i] == b[i])) ++i;
    if (i < limit) ++i;
    read(a, i);
    read(b, i);
  }
  void compare_strings() { compare(kNoLimit, false); }
  void compare_limited() { compare(number(2), false); }
  void compare_folded() { compare(kNoLimit, true); }
  // Of directory entries, behind pointers to pointers.
  void compare_names() {
    for (unsigned i = 0; i < 2; ++i) {
      read(pointer(i), sizeof(dirent*));
      read_text((*pointer<const dirent*>(i))->d_name);
    }
  }
  void compare_folded_limited() { compare(number(2), true); }

  // A std::string: its text and length, and the characters.
  void read_string() {
    struct String {
      const char* text;
      std::size_t length;
    };
    const auto* const string = pointer<const String>(1);
    read(string, sizeof *string);
    read(string->text, string->length);
  }

  void read_path(unsigned argument) {
    for_each_part(pointer<const FilePath>(argument), [&](const void* part, std::size_t size) { read(part, size); });
  }
  void path_0() { read_path(0); }
  void path_1() { read_path(1); }
  void path_2() { read_path(2); }

  // --- text behind text
  void append_text(std::uint64_t limit, unsigned unit) {
    char* const text = pointer(0);
    const std::size_t before = text_size(text, kNoLimit, unit);
    const std::size_t all = text_size(pointer(1), kNoLimit, unit);
    std::size_t size = all, copied = all;
    if (limit != kNoLimit) {  // the terminator comes after as many characters
      copied = text_size(pointer(1), limit, unit);
      size = copied == limit * unit && copied < all ? copied + unit : copied;
      if (copied == limit * unit && copied == all - unit) size = all;
    }
    read(text, before);
    read(pointer(1), copied);
    write(text + before - unit, size);
  }
  void append() { append_text(kNoLimit, 1); }
  void append_limited() { append_text(number(2), 1); }
  void append_wide() { append_text(kNoLimit, sizeof(wchar_t)); }
  void append_wide_limited() { append_text(number(2), sizeof(wchar_t)); }

  // --- tokens
  template <class C>
  static bool contains(const C* set, C c) {
    for (; *set; ++set)
      if (*set == c) return true;
    return false;
  }
  // From `text`: a token's begin is looked for if `skips`, then its end. Where the next one begins; null: this was the last.
  template <class C>
  C* cut(C* text, const C* set, bool skips) {
    C* at = text;
    while (skips && *at && contains(set, *at)) ++at;
    while (*at && !contains(set, *at)) ++at;
    read(text, std::size_t(reinterpret_cast<char*>(at + 1) - reinterpret_cast<char*>(text)));
    if (!*at) return nullptr;
    write(at, sizeof *at);
    return at + 1;
  }
  // The place where an empty rest begins, as strtok_r leaves it.
  static char* end_of(char* text) { return text + strlen(text); }

  void split_library_state() {
    char** const place = split_place();
    char* const text = pointer(0) ? pointer(0) : *place;
    if (!text) return;
    char* const next = cut(text, pointer<const char>(1), true);
    *place = next ? next : end_of(text);
  }
  void split() {
    char** const place = pointer<char*>(2);
    char* const text = pointer(0) ? pointer(0) : *place;
    if (!pointer(0)) read(place, sizeof *place);
    write(place, sizeof *place);
    if (text) cut(text, pointer<const char>(1), true);
  }
  void split_wide() {
    wchar_t** const place = pointer<wchar_t*>(2);
    wchar_t* const text = pointer(0) ? pointer<wchar_t>(0) : *place;
    if (!pointer(0)) read(place, sizeof *place);
    const wchar_t* const set = pointer<const wchar_t>(1);
    read(set, text_size(set, kNoLimit, sizeof *set));
    write(place, sizeof *place);
    if (text) cut(text, set, true);
  }
  void separate() {
    char** const place = pointer<char*>(0);
    read(place, sizeof *place);
    if (!*place) return;
    read_text(pointer(1));
    write(place, sizeof *place);
    cut(*place, pointer<const char>(1), false);
  }
  void suboption() {
    char** const place = pointer<char*>(0);
    read(place, sizeof *place);
    if (!**place) return read(*place, 1);
    write(place, sizeof *place);
    write(pointer(2), sizeof(char*));
    char** const tokens = pointer<char*>(1);
    unsigned n = 0;
    for (; tokens[n]; ++n) read_text(tokens[n]);
    read(tokens, (n + 1) * sizeof *tokens);
    cut(*place, ",", false);
  }

  // --- names of files
  // As glibc does it: the last slash that has a name behind it, and with it the slashes in front of it.
  void directory_part() {
    char* const path = pointer(0);
    if (!path) return;
    read_text(path);
    char* last = strrchr(path, '/');
    if (last && last != path && !last[1]) {
      char* run = last;
      while (run != path && run[-1] == '/') --run;
      if (run != path) {
        do --run;
        while (run >= path && *run != '/');
        last = run < path ? nullptr : run;
      }
    }
    if (!last) return;
    char* run = last;
    while (run != path && run[-1] == '/') --run;
    write(run != path ? run : last == path + 1 ? last + 1 : path + 1, 1);
  }
  void base_part() {
    char* const path = pointer(0);
    if (!path) return;
    read_text(path);
    char* const last = strrchr(path, '/');
    if (!last || last[1]) return;
    char* run = last;
    while (run > path && run[-1] == '/') --run;
    if (run > path) write(run, 1);
  }

  // --- arrays, trees, lists
  void sort() {
    if (number(1) > 1) write(pointer(0), number(1) * number(2));
  }
  // Of getline and its kin: the line and its end.
  void read_line() {
    const auto length = std::ptrdiff_t(call_.result);
    if (length >= 0) write(*pointer<char*>(0), std::size_t(length) + 1);
  }
  void append_found() {
    const std::size_t count = *pointer<std::size_t>(2), width = number(3);
    char* const last = pointer(1) + (count - 1) * width;
    if (count && result<char>() == last) {
      write(last, width);
      write(pointer(2), sizeof count);
    }
  }

  void touch_tree(TreeNode* root, bool change) {
    if (root) change ? write(root->links, sizeof root->links) : read(root->links, sizeof root->links);
  }
  // Which keys a search compares is up to the program's function: all of them.
  void use_tree(TreeNode* root, bool change) {
    for_each_node(root, [&](const TreeNode& node) { read(&node.key, sizeof node.key); });
    touch_tree(root, change);
  }
  void use_tree_at(TreeNode** place, bool change) {
    if (!place) return;
    change ? write(place, sizeof *place) : read(place, sizeof *place);
    use_tree(*place, change);
  }
  void search_tree() { use_tree_at(pointer<TreeNode*>(1), false); }
  void change_tree() { use_tree_at(pointer<TreeNode*>(1), true); }
  void walk_tree() { touch_tree(pointer<TreeNode>(0), false); }
  void destroy_tree() { use_tree(pointer<TreeNode>(0), true); }

  struct Element {
    Element *next, *previous;
  };
  void insert_element() {
    Element *const element = pointer<Element>(0), *const previous = pointer<Element>(1);
    write(element, sizeof *element);
    if (!previous) return;
    read(&previous->next, sizeof(void*));
    if (previous->next) write(&previous->next->previous, sizeof(void*));
    write(&previous->next, sizeof(void*));
  }
  void remove_element() {
    Element* const element = pointer<Element>(0);
    read(element, sizeof *element);
    if (element->next) write(&element->next->previous, sizeof(void*));
    if (element->previous) write(&element->previous->next, sizeof(void*));
  }

  // --- entries of the databases
  void write_entry(const passwd* user) {
    if (!user) return;
    write(user, sizeof *user);
    for (const char* text : {user->pw_name, user->pw_passwd, user->pw_gecos, user->pw_dir, user->pw_shell})
      if (text) write_text(text);
  }
  void write_entry(const group* entry) {
    if (!entry) return;
    write(entry, sizeof *entry);
    write_text(entry->gr_name);
    write_text(entry->gr_passwd);
    unsigned n = 0;
    for (; entry->gr_mem[n]; ++n) write_text(entry->gr_mem[n]);
    write(entry->gr_mem, (n + 1) * sizeof(char*));
  }
  void user_entry() { write_entry(result<passwd>()); }
  void group_entry() { write_entry(result<group>()); }
  void user_found() {
    write(pointer(4), sizeof(void*));
    if (!status() && *pointer<void*>(4)) write(pointer(1), sizeof(passwd));
  }
  void group_found() {
    write(pointer(4), sizeof(void*));
    if (!status() && *pointer<void*>(4)) write(pointer(1), sizeof(group));
  }
  void groups() {
    if (int(number(0)) > 0 && status() > 0) write(pointer(1), std::size_t(status()) * sizeof(gid_t));
  }

  // --- the rest
  static std::size_t address_bytes(int family) { return family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0; }
  void parse_address() {
    if (status() == 1) write(pointer(2), address_bytes(int(number(0))));
  }
  void print_address() { read(pointer(1), address_bytes(int(number(0)))); }

  void options() {
    const int count = int(number(0));
    if (count <= 0) return;
    char** const arguments = pointer<char*>(1);
    const char* const letters = pointer(2);
    read(&optind, sizeof optind);
    read(&opterr, sizeof opterr);
    const bool keeps_order = *letters == '+' || *letters == '-';
    const std::size_t size = std::size_t(count) * sizeof(char*);
    keeps_order ? read(arguments, size) : write(arguments, size);
    for (int i = optind > 0 ? optind : 1; i < count; ++i)
      if (arguments[i]) read_text(arguments[i]);
  }
  void options_found() {
    write(&optind, sizeof optind);
    write(&optarg, sizeof optarg);
    write(&optopt, sizeof optopt);
    if (status() == '?' && opterr && *pointer(2) != ':') meet_unseen("the message of getopt, which locks stderr", site_);
  }

  // The table ends with an entry without a name. An option that is found writes its number in the table; or its value, where
  // the entry says so.
  void long_options() {
    options();
    const auto* const table = pointer<const option>(3);
    std::size_t count = 0;
    for (; table[count].name; ++count) read_text(table[count].name);
    read(table, (count + 1) * sizeof *table);
  }
  void long_options_found() {
    options_found();
    const int found = int(status());
    if (found == -1 || found == '?') return;
    if (int* const index = pointer<int>(4)) write(index, sizeof *index);
    for (const option* entry = pointer<const option>(3); entry->name; ++entry)
      if (!found && entry->flag && *entry->flag == entry->val) write(entry->flag, sizeof *entry->flag);
  }

  // A conversion without a state of the caller's uses one of the library's.
  void own_state(unsigned argument) {
    if (!pointer(argument)) touch_library_state(LibraryState::multibyte, true, site_);
  }
  void second_is_state() { own_state(2); }
  void third_is_state() { own_state(3); }

  void change_locale() { touch_library_state(LibraryState::locale, pointer(1) != nullptr, site_); }

  void publish_facet() { settle_block(pointer(1)); }

  // The one of "C", and the global one, are the library's own, and last.
  void use_locale(unsigned argument, bool write) {
    const char* const object = pointer(argument);
    if (!is_on_heap(object)) return;
    write ? this->write(object, sizeof(__locale_struct)) : read(object, sizeof(__locale_struct));
  }
  void locale_0() { use_locale(0, false); }
  void locale_1() { use_locale(1, false); }
  void locale_2() { use_locale(2, false); }
  void locale_3() { use_locale(3, false); }
  void locale_4() { use_locale(4, false); }
  void thread_locale() {
    use_locale(0, false);
    if (pointer(0)) begin_thread_locale(pointer(0));
  }
  void base_locale() { use_locale(2, true); }
  void end_locale() {
    use_locale(0, true);
    check_locale_unused(pointer(0), site_);
  }

  // --- numbers in texts
  template <class C, class Reads>
  void number_text(Reads reads, locale_t locale = nullptr) {
    NumberText<C> text(pointer<C>(0), locale);
    reads(text);
    read(pointer(0), text.seen() * sizeof(C));
  }
  template <class C>
  void read_integer(bool binary, locale_t locale = nullptr) {
    number_text<C>([&](auto& text) { text.integer(int(number(2)), binary); }, locale);
    if (pointer(1) && is_number_base(int(number(2)))) write(pointer(1), sizeof(char*));
  }
  template <class C>
  void read_real(locale_t locale = nullptr) {
    number_text<C>([&](auto& text) { text.real(pointer(1) != nullptr); }, locale);
  }
  locale_t given_locale(unsigned argument) const { return reinterpret_cast<locale_t>(number(argument)); }
  void decimal() {
    number_text<char>([](auto& text) { text.integer(10, false); });
  }
  void integer() { read_integer<char>(false); }
  void integer_2023() { read_integer<char>(true); }
  void integer_in_locale() { read_integer<char>(false, given_locale(3)); }
  void integer_2023_in_locale() { read_integer<char>(true, given_locale(3)); }
  void wide_integer() { read_integer<wchar_t>(false); }
  void wide_integer_2023() { read_integer<wchar_t>(true); }
  void wide_integer_in_locale() { read_integer<wchar_t>(false, given_locale(3)); }
  void wide_integer_2023_in_locale() { read_integer<wchar_t>(true, given_locale(3)); }
  void real() { read_real<char>(); }
  void real_in_locale() { read_real<char>(given_locale(2)); }
  void wide_real() { read_real<wchar_t>(); }
  void wide_real_in_locale() { read_real<wchar_t>(given_locale(2)); }
  void payload() {
    number_text<char>([](auto& text) { text.payload(0); });
  }
  // a64l: at most six digits.
  void digits_of_64() {
    constexpr unsigned kMost = 6;
    const auto is_digit = [](char c) { return (c >= '.' && c <= '9') || (folded(c) >= 'a' && folded(c) <= 'z'); };
    const char* const text = pointer(0);
    unsigned i = 0;
    while (i < kMost && is_digit(text[i])) ++i;
    read(text, i < kMost ? i + 1 : i);
  }

  // regexec: nothing is stored where nothing matches, or an expression was compiled without places.
  void matches() {
    if (status() == 0 && pointer(3) && !(pointer<const regex_t>(0)->__REPB_PREFIX(no_sub)))
      write(pointer(3), number(2) * sizeof(regmatch_t));
  }

  // --- variables of the library
  // Set by every call that looks at the time zone, under a lock.
  void time_zone() {
    touch_locked(&__timezone, sizeof __timezone, true, site_);
    touch_locked(&__daylight, sizeof __daylight, true, site_);
    touch_locked(__tzname, sizeof __tzname, true, site_);
  }
  // strftime: the name of the time zone stands elsewhere.
  void zone_name() {
    const auto* const time = pointer<const tm>(3);
    if (strstr(pointer(2), "%Z") && time->tm_zone) read_text(time->tm_zone);
  }
  void gamma_sign() {
    if (&__signgam) write(&__signgam, sizeof __signgam);
  }
  void touch_environment(bool change) {
    change ? write(&__environ, sizeof __environ) : read(&__environ, sizeof __environ);
    if (!__environ) return;
    std::size_t n = 0;
    while (__environ[n]) ++n;
    change ? write(__environ, (n + 1) * sizeof(char*)) : read(__environ, (n + 1) * sizeof(char*));
    for (std::size_t i = 0; i < n; ++i)  // the program's own are seen by putenv
      read(__environ[i], strcspn(__environ[i], "=") + 1);
  }
  void see_environment() { touch_environment(false); }
  void change_environment() { touch_environment(true); }

  // --- memory that the library keeps
  // setvbuf, setbuf, setbuffer: an unbuffered stream has no use for it.
  void keep_buffer() {
    if (pointer(1)) keep_memory("the buffer of a stream", pointer(1), site_);
  }
  void keep_keys() {  // hsearch: the entry is handed over as two words
    const bool enters = number(2) == 1;
    keep_memory("the keys of a hash table", enters ? pointer(0) : nullptr, site_);
  }
  void keep_errno() { keep_memory("the address of errno", nullptr, site_); }
  void begin_memory_stream(std::size_t unit) {
    const auto* const stream = reinterpret_cast<const void*>(call_.result);
    if (stream) inspect::runtime::begin_memory_stream({stream, pointer<char*>(0), pointer<std::size_t>(1), unit}, site_);
  }
  void open_memory_stream() { begin_memory_stream(1); }
  void open_wide_memory_stream() { begin_memory_stream(sizeof(wchar_t)); }
  // Under the stream's lock, as all that is written to it.
  void flush_memory_stream() {
    const MemoryStream* const stream = find_memory_stream(pointer(0));
    if (!stream) return;
    touch_locked(stream->text, sizeof *stream->text, true, site_);
    touch_locked(stream->size, sizeof *stream->size, true, site_);
    touch_locked(*stream->text, (*stream->size + 1) * stream->unit, true, site_);
  }
  void open_text_stream() {
    const auto* const stream = reinterpret_cast<const void*>(call_.result);
    if (!stream || !pointer(0)) return;  // without memory of the program's it has its own
    const bool only_reads = *pointer(2) == 'r' && !strchr(pointer(2), '+');
    if (!only_reads) return keep_memory("a stream in memory", pointer(0), site_);
    begin_text_stream({stream, pointer(0), number(1)}, site_);
  }

  // The array of random: a word that says which kind of generator, then as many numbers as that has.
  static constexpr unsigned kGenerators = 5;
  static std::size_t random_bytes(unsigned generator) {
    constexpr std::size_t kBytes[kGenerators] = {8, 32, 64, 128, 256};
    return kBytes[generator % kGenerators];
  }
  static std::size_t random_bytes_within(std::uint64_t size) {
    unsigned generator = kGenerators - 1;
    while (generator && random_bytes(generator) > size) --generator;
    return random_bytes(generator);
  }
  // Where it is, and in the upper bits how large: the program may overwrite what it says itself.
  static constexpr unsigned kSizeShift = 48;
  void random_step() {
    const auto place = reinterpret_cast<std::uint64_t>(*random_place());
    if (!place) return;
    touch_locked(reinterpret_cast<void*>(place & ((1ull << kSizeShift) - 1)), place >> kSizeShift, true, site_);
  }
  void random_array(char* array, std::size_t size) {
    random_step();  // the old one's state is put into its first word
    *random_place() = reinterpret_cast<char*>(reinterpret_cast<std::uint64_t>(array) | std::uint64_t(size) << kSizeShift);
    random_step();
  }
  void random_begins() {
    if (number(2) >= 8) random_array(pointer(1), random_bytes_within(number(2)));
  }
  void random_goes_on() { random_array(pointer(0), random_bytes(unsigned(*pointer<int>(0)) % kGenerators)); }

  // What such a generator stands for: itself, and the array that it has been given; its kind is in front of `state`.
  void touch_random_data(struct random_data* data) {
    write(data, sizeof *data);
    if (data->state) write(data->state - 1, random_bytes(unsigned(data->rand_type)));
  }
  void random_data() { touch_random_data(pointer<struct random_data>(0)); }
  void random_data_begins() { touch_random_data(pointer<struct random_data>(1)); }
  void random_data_goes_on() {
    touch_random_data(pointer<struct random_data>(1));
    read(pointer(0), sizeof(int));
  }

  void release_names() {
    auto* const names = pointer<glob_t>(0);
    read(&names->gl_pathv, sizeof names->gl_pathv);
    if (!names->gl_pathv) return;
    read(&names->gl_pathc, sizeof names->gl_pathc);
    write(&names->gl_pathv, sizeof names->gl_pathv);
  }

  // Registers, and whether signals were saved; then the signals.
  void set_jump(bool saves) {
    write(pointer(0), saves ? 80 : 68);
    keep_signal_mask(pointer(0), saves);
  }
  void save_signals() { set_jump(number(1)); }
  void save_all() { set_jump(true); }
  void save_place() { set_jump(false); }
  void jump() {
    read(pointer(0), 68);
    restore_signal_mask(pointer(0), site_);
  }
};

}  // namespace

void perform(LibraryAction action, const LibraryCall& call, const void* site) { Acts(call, site).perform(action); }

}  // namespace inspect::runtime
