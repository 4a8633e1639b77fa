#include "process/variables.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include "process/allocated_types.hpp"
#include "process/debug_information.hpp"
#include "process/symbols.hpp"

namespace inspect::process {
namespace {

using Bytes = std::uint64_t;

bool is_of_system(std::string_view file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.find("/src/standard/") != std::string_view::npos;
}

std::optional<Dwarf_Die> die_at(Dwarf_Die& from, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Die die;
  if (!dwarf_formref_die(dwarf_attr_integrate(&from, attribute_name, &attribute), &die)) return std::nullopt;
  return die;
}

std::optional<Bytes> number_at(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (!dwarf_attr_integrate(&die, name, &attribute) || dwarf_formudata(&attribute, &value)) return std::nullopt;
  return value;
}

std::string plain_name(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  const char* const text = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute));
  return text ? text : "";
}

std::vector<Dwarf_Die> children_of(Dwarf_Die die) {
  std::vector<Dwarf_Die> children;
  Dwarf_Die child;
  for (int more = dwarf_child(&die, &child); more == 0; more = dwarf_siblingof(&child, &child)) children.push_back(child);
  return children;
}

// Without typedefs and qualifiers.
std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
  auto type = die_at(die, DW_AT_type);
  Dwarf_Die plain;
  if (!type || dwarf_peel_type(&*type, &plain) != 0) return std::nullopt;
  return plain;
}

Bytes size_of(Dwarf_Die type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

bool is_structure(Dwarf_Die& type) {
  const int tag = dwarf_tag(&type);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool is_of_library(Dwarf_Die& type) {
  const char* const file = dwarf_decl_file(&type);
  return file && is_of_system(file);
}

std::optional<Dwarf_Die> first_template_argument(Dwarf_Die& type) {
  for (Dwarf_Die& child : children_of(type))
    if (dwarf_tag(&child) == DW_TAG_template_type_parameter) return type_of(child);
  return std::nullopt;
}

bool is_cpp(Dwarf_Die& die) {
  Dwarf_Die unit;
  if (!dwarf_diecu(&die, &unit, nullptr, nullptr)) return true;
  const int language = dwarf_srclang(&unit);
  return language != DW_LANG_C99 && language != DW_LANG_C11 && language != DW_LANG_C89 && language != DW_LANG_C &&
         language != 0x2c /* DW_LANG_C17 */;
}

// "State::ready" of a scoped enumeration, "ready" of others.
std::map<std::int64_t, std::string> enumerators_of(Dwarf_Die& type) {
  std::map<std::int64_t, std::string> names;
  Dwarf_Attribute attribute;
  bool scoped = false;
  (void)dwarf_formflag(dwarf_attr(&type, DW_AT_enum_class, &attribute), &scoped);
  const std::string prefix = scoped ? plain_name(type) + "::" : "";
  for (Dwarf_Die& child : children_of(type)) {
    Dwarf_Sword value = 0;
    if (dwarf_tag(&child) == DW_TAG_enumerator &&
        dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &attribute), &value) == 0)
      names.emplace(value, prefix + plain_name(child));
  }
  return names;
}

ValueForm form_of(Dwarf_Die& type) {
  using Kind = ValueForm::Kind;
  ValueForm form{.cpp = is_cpp(type)};
  switch (dwarf_tag(&type)) {
    case DW_TAG_pointer_type: {
      const auto target = type_of(type);
      Dwarf_Die copy = target.value_or(type);
      const bool characters = target && dwarf_tag(&copy) == DW_TAG_base_type && size_of(*target) == 1;
      form.kind = characters ? Kind::text : Kind::pointer;
      if (target) form.pointee = size_of(*target);
      return form;
    }
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
    case DW_TAG_ptr_to_member_type:
    case DW_TAG_unspecified_type:
      form.kind = Kind::pointer;
      return form;
    case DW_TAG_enumeration_type:
      form.kind = Kind::enumeration;
      form.names = enumerators_of(type);
      return form;
    case DW_TAG_base_type:
      switch (number_at(type, DW_AT_encoding).value_or(0)) {
        case DW_ATE_boolean:
          form.kind = Kind::boolean;
          break;
        case DW_ATE_signed_char:
        case DW_ATE_unsigned_char:
        case DW_ATE_UTF:
          // int8_t and its like are numbers that share the encoding of characters.
          form.kind = plain_name(type) == "char" || plain_name(type).starts_with("char") || plain_name(type) == "wchar_t"
                          ? Kind::character
                          : (number_at(type, DW_AT_encoding) == DW_ATE_signed_char ? Kind::integer : Kind::natural);
          break;
        case DW_ATE_unsigned:
          form.kind = Kind::natural;
          break;
        case DW_ATE_float:
          form.kind = Kind::floating;
          break;
        default:
          form.kind = Kind::integer;
      }
      return form;
    default:
      return form;
  }
}

// From an object down to the part of it that `size` bytes at `offset` are.
class Descent {
 public:
  Descent(Dwarf_Die type, Bytes offset, Bytes size, std::string name)
      : type_(type), offset_(offset), size_(size), part_{std::move(name)} {}

  Part end() {
    for (unsigned depth = 0; depth < 32 && step(); ++depth) {
    }
    if (offset_ == 0 && size_of(type_) == size_) part_.form = form_of(type_);
    return std::move(part_);
  }

 private:
  bool step() {
    if (dwarf_tag(&type_) == DW_TAG_array_type) return into_array();
    if (!is_structure(type_)) return false;
    if (!is_of_library(type_)) return into_member();
    const std::string name = plain_name(type_);
    if (name.starts_with("pair<")) return into_member();
    if (name.starts_with("basic_string<char,")) return into_string();
    if (name.starts_with("array<")) return into_elements(first_template_argument(type_));
    if (!name.starts_with("atomic<") && !name.starts_with("__atomic_base<")) return false;
    const auto value = first_template_argument(type_);  // its value is all there is to it
    if (!value) return false;
    type_ = *value;
    return false;
  }

  bool into_elements(std::optional<Dwarf_Die> element) {
    const Bytes one = element ? size_of(*element) : 0;
    if (!one || (offset_ == 0 && size_ > one)) return false;
    part_.name += '[' + std::to_string(offset_ / one) + ']';
    offset_ %= one;
    type_ = *element;
    return true;
  }

  bool into_array() {
    auto element = type_of(type_);
    const Bytes one = element ? size_of(*element) : 0;
    if (!one || (offset_ == 0 && size_ > one)) return false;
    // Of several dimensions the last counts ones.
    std::vector<Bytes> counts;
    for (Dwarf_Die& child : children_of(type_))
      if (dwarf_tag(&child) == DW_TAG_subrange_type) {
        const auto count = number_at(child, DW_AT_count);
        counts.push_back(count ? *count : number_at(child, DW_AT_upper_bound).value_or(0) + 1);
      }
    Bytes index = offset_ / one;
    std::vector<Bytes> indices(std::max<std::size_t>(1, counts.size()));
    for (std::size_t i = indices.size(); i-- > 0; index = i && counts[i] ? index / counts[i] : index)
      indices[i] = i && counts[i] ? index % counts[i] : index;
    for (const Bytes i : indices) part_.name += '[' + std::to_string(i) + ']';
    offset_ %= one;
    type_ = *element;
    return true;
  }

  // Of a type that is only declared here: what is left up to the next member.
  Bytes size_of_member(Bytes begin, const Dwarf_Die& type) {
    if (const Bytes size = size_of(type)) return size;
    Bytes end = size_of(type_);
    for (Dwarf_Die& child : children_of(type_))
      if (const auto next = number_at(child, DW_AT_data_member_location); next && *next > begin) end = std::min(end, *next);
    return end > begin ? end - begin : 0;
  }

  // Members before bases: they may lie in the padding at a base's end.
  bool into_member() {
    if (into_part(DW_TAG_member)) return true;
    return !ends_in_bits() && into_part(DW_TAG_inheritance);
  }

  bool into_part(int wanted) {
    for (Dwarf_Die& child : children_of(type_)) {
      const int tag = dwarf_tag(&child);
      if (tag != wanted) continue;
      auto type = type_of(child);
      if (!type || dwarf_hasattr(&child, DW_AT_external) || dwarf_hasattr(&child, DW_AT_declaration)) continue;
      const Bytes begin = number_at(child, DW_AT_data_member_location).value_or(0), size = size_of_member(begin, *type);
      if (dwarf_hasattr(&child, DW_AT_data_bit_offset) || offset_ < begin || offset_ - begin >= std::max<Bytes>(size, 1))
        continue;
      if (offset_ == begin && size_ > size) continue;  // more than that member: the whole, or another of a union
      const std::string name = plain_name(child);
      if (tag == DW_TAG_member && !name.empty() && name != "this") part_.name += '.' + name;
      offset_ -= begin;
      type_ = *type;
      return true;
    }
    return false;
  }

  // Several numbers within a few bytes, which are accessed together: ".{mode, on}". Their values are not told apart.
  bool ends_in_bits() {
    std::string names;
    unsigned count = 0;
    for (Dwarf_Die& child : children_of(type_)) {
      const auto begin = number_at(child, DW_AT_data_bit_offset), bits = number_at(child, DW_AT_bit_size);
      const std::string name = plain_name(child);
      if (dwarf_tag(&child) == DW_TAG_member && !begin && !dwarf_hasattr(&child, DW_AT_external)) {
        const Bytes at = number_at(child, DW_AT_data_member_location).value_or(0);
        if (at >= offset_ && at < offset_ + size_) return false;  // more than the bits
      }
      if (!begin || !bits || !*bits || name.empty() || dwarf_tag(&child) != DW_TAG_member) continue;
      if (*begin / 8 >= offset_ + size_ || (*begin + *bits - 1) / 8 < offset_) continue;
      names += (count++ ? ", " : "") + name;
    }
    if (count) part_.name += count == 1 ? '.' + names : ".{" + names + '}';
    return count != 0;
  }

  // What std::string keeps: a pointer, the size, and short ones' characters.
  bool into_string() {
    constexpr Bytes kWhole = 32, kCharacters = 16;
    if (size_of(type_) != kWhole) return false;
    if (offset_ == 0 && size_ == 8) {
      part_.name += ".data()";
      part_.form.kind = ValueForm::Kind::text;
    } else if (offset_ == 8 && size_ == 8) {
      part_.name += ".size()";
      part_.form.kind = ValueForm::Kind::natural;
    } else if (offset_ >= kCharacters && size_ == 1) {
      part_.name += '[' + std::to_string(offset_ - kCharacters) + ']';
      part_.form.kind = ValueForm::Kind::character;
    }
    return false;
  }

  Dwarf_Die type_;
  Bytes offset_, size_;
  Part part_;
};

}  // namespace

class Variables::Reader {
 public:
  explicit Reader(const std::string& program) : information_(program), rows_(program) {}

  std::vector<GlobalNumber> numbers_named(const std::string& name) {
    list_all_globals();
    std::vector<GlobalNumber> found;
    for (const auto& [begin, variable] : globals_) {
      if (!name.starts_with(variable.name)) continue;
      const std::string rest = name.substr(variable.name.size());
      if (!rest.empty() && rest.front() != '.' && rest.front() != '[') continue;
      if (const auto number = number_in(begin, variable, name)) found.push_back(*number);
    }
    return found;
  }

  std::optional<Part> global(Bytes offset, Bytes size) {
    list_all_globals();
    const auto after = globals_.upper_bound(offset);
    if (after == globals_.begin()) return std::nullopt;
    const auto& [begin, variable] = *std::prev(after);
    if (offset - begin >= std::max<Bytes>(1, size_of(variable.type))) return std::nullopt;
    return Descent(variable.type, offset - begin, size, variable.name).end();
  }

  Part part_of(const std::string& linkage_name, Bytes offset, Bytes size) {
    list_all_globals();
    const auto found = by_linkage_name_.find(linkage_name);
    if (found == by_linkage_name_.end()) return {demangled(linkage_name)};
    return Descent(found->second.type, offset, size, found->second.name).end();
  }

  std::optional<Part> local(Bytes code, std::int64_t distance, Bytes size) {
    const auto [known, fresh] = locals_.try_emplace({code, distance, size});
    if (fresh) known->second = find_local(code, distance, size);
    return known->second;
  }

  std::optional<Part> find_local(Bytes code, std::int64_t distance, Bytes size) {
    Unit* const unit = information_.unit_of(code);
    auto scopes = unit ? unit->scopes_at(code) : std::vector<Dwarf_Die>{};
    if (scopes.empty()) return std::nullopt;
    std::optional<Local> found;
    search_locals(scopes.front(), code, distance, true, 0, found);
    if (!found) return std::nullopt;
    return Descent(found->type, static_cast<Bytes>(distance - found->begin), size, found->name).end();
  }

  std::optional<AllocatedType> allocated_at(Bytes code) {
    Unit* const unit = information_.unit_of(code);
    auto scopes = unit ? unit->scopes_at(code) : std::vector<Dwarf_Die>{};
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      auto of = class_of(*scope);
      if (!of) continue;
      const std::string name = plain_name(*of);
      if (!name.starts_with("__new_allocator<") && !name.starts_with("new_allocator<") && !name.starts_with("allocator<"))
        continue;
      if (auto type = first_template_argument(*of)) return unwrapped(*type, true);
    }
    return std::nullopt;
  }

  std::optional<AllocatedType> created_at(Bytes code) {
    Unit* const unit = information_.unit_of(code);
    const auto places = unit ? unit->places(code) : std::vector<Place>{};
    if (places.empty()) return std::nullopt;
    const auto row = rows_.at(places.front());
    if (!row) return std::nullopt;
    AllocatedType type{.name = row->name, .begin = row->begin, .size = row->size, .several = row->many};
    if (auto die = row->size ? find_type(unit->die(), *row) : std::nullopt) {
      auto known = unwrapped(*die, row->many);
      if (!known) return std::nullopt;
      known->begin += row->begin;
      if (known->name.empty()) known->name = row->name;
      return known;
    }
    return type;
  }

  Part member(const AllocatedType& type, Bytes offset, Bytes size) {
    const auto known = types_.find(type.key);
    if (known == types_.end() || offset < type.begin || !type.size) return {};
    const Bytes at = offset - type.begin, index = at / type.size;
    if (index && !type.several) return {};
    const std::string element = type.several ? '[' + std::to_string(index) + ']' : "";
    return Descent(known->second, at % type.size, size, element).end();
  }

 private:
  struct Global {
    std::string name;
    Dwarf_Die type;
  };
  struct Local {
    std::string name;
    Dwarf_Die type;
    std::int64_t begin;
    bool covers;     // its block has that code
    unsigned depth;  // of blocks
  };

  void list_all_globals() {
    if (std::exchange(globals_listed_, true)) return;
    for (Unit& unit : information_.units()) list_globals(unit.die(), "");
  }

  // The names of parts are found from where they are, never the other way round: so each part is asked for its name.
  static std::optional<GlobalNumber> number_in(Bytes begin, const Global& variable, const std::string& name) {
    constexpr Bytes kLargest = 1 << 16;
    const Bytes size = std::min(size_of(variable.type), kLargest);
    for (Bytes at = 0; at < size; ++at) {
      for (const Bytes bytes : {8, 4, 2, 1}) {
        if (at % bytes || at + bytes > size) continue;
        const Part part = Descent(variable.type, at, bytes, variable.name).end();
        if (part.name != name) continue;
        const ValueForm::Kind kind = part.form.kind;
        const bool is_signed =
            kind == ValueForm::Kind::integer || kind == ValueForm::Kind::character || kind == ValueForm::Kind::enumeration;
        if (is_signed || kind == ValueForm::Kind::natural || kind == ValueForm::Kind::boolean)
          return GlobalNumber{begin + at, bytes, is_signed};
      }
    }
    return std::nullopt;
  }

  // The class whose member function this is.
  static std::optional<Dwarf_Die> class_of(Dwarf_Die function) {
    for (const unsigned link : {DW_AT_abstract_origin, DW_AT_specification})
      if (dwarf_hasattr(&function, link)) {
        Dwarf_Attribute attribute;
        Dwarf_Die other;
        if (!dwarf_formref_die(dwarf_attr(&function, link, &attribute), &other)) return std::nullopt;
        function = other;
      }
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&function, &scopes);
    std::optional<Dwarf_Die> found;
    if (count > 1 && is_structure(scopes[1])) found = scopes[1];
    std::free(scopes);
    return found;
  }

  AllocatedType described(Dwarf_Die& type, Bytes begin, bool several) {
    const Bytes key = dwarf_dieoffset(&type);
    types_.emplace(key, type);
    std::string name = plain_name(type);
    if (name.empty() && dwarf_tag(&type) == DW_TAG_pointer_type) name = "pointer";
    const bool of_library = is_structure(type) && is_of_library(type);
    return {.name = name, .begin = begin, .size = size_of(type), .several = several, .of_library = of_library, .key = key};
  }

  // Where a member, perhaps of a base, lies in the type.
  static std::optional<Bytes> offset_of(Dwarf_Die& type, std::string_view member, unsigned depth = 0) {
    for (Dwarf_Die& child : children_of(type)) {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
      const Bytes begin = number_at(child, DW_AT_data_member_location).value_or(0);
      if (tag == DW_TAG_member && plain_name(child) == member) return begin;
      auto base = tag == DW_TAG_inheritance && depth < 8 ? type_of(child) : std::nullopt;
      if (!base) continue;
      if (const auto within = offset_of(*base, member, depth + 1)) return begin + *within;
    }
    return std::nullopt;
  }

  // What the library wraps in a type of its own: shared_ptr keeps counts in front of the object, lists and trees their links.
  std::optional<AllocatedType> unwrapped(Dwarf_Die& type, bool several) {
    if (!is_structure(type) || !is_of_library(type)) return described(type, 0, several);
    const std::string name = plain_name(type);
    for (const std::string_view node : {"_List_node<", "_Rb_tree_node<", "_Hash_node<", "_Fwd_list_node<"}) {
      if (!name.starts_with(node)) continue;
      auto element = first_template_argument(type);
      const auto begin = offset_of(type, "_M_storage");
      if (!element || !begin) return described(type, 0, false);
      AllocatedType of = described(*element, *begin, false);
      of.in_node = true;
      return of;
    }
    if (!name.starts_with("_Sp_counted_ptr_inplace<")) return described(type, 0, several);
    auto inner = first_template_argument(type);
    if (!inner) return std::nullopt;
    const Bytes whole = size_of(type), own = size_of(*inner);
    AllocatedType of = described(*inner, whole > own + 16 ? (whole - own) / 16 * 16 : 16, false);
    of.counted = true;
    return of;
  }

  void list_globals(Dwarf_Die& parent, const std::string& scope) {
    for (Dwarf_Die& die : children_of(parent)) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_namespace || tag == DW_TAG_module)
        list_globals(die, scope + (plain_name(die).empty() ? "" : plain_name(die) + "::"));
      else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
        list_globals(die, "");  // static variables: by their own names
      else if (tag == DW_TAG_variable)
        add_global(die, scope);
    }
  }

  void add_global(Dwarf_Die& die, const std::string& scope) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    auto type = type_of(die);
    std::string name = plain_name(die);
    if (!type || name.empty()) return;
    // A static member, or what was declared in a namespace before: its scope is that of its declaration.
    std::string where = scope;
    if (auto of = class_of(die)) where = plain_name(*of) + "::";
    const Global global{where + name, *type};
    by_linkage_name_.try_emplace(name_of(die), global);
    if (!dwarf_attr(&die, DW_AT_location, &attribute)) return;
    if (dwarf_getlocation(&attribute, &operations, &count) || count != 1) return;
    Dwarf_Addr address = operations[0].number;
    if (operations[0].atom == DW_OP_addrx || operations[0].atom == DW_OP_constx) {
      Dwarf_Attribute indirect;
      if (dwarf_getlocation_attr(&attribute, operations, &indirect) || dwarf_formaddr(&indirect, &address)) return;
    } else if (operations[0].atom != DW_OP_addr) {
      return;
    }
    globals_.try_emplace(address, global);
  }

  void search_locals(Dwarf_Die& parent, Bytes code, std::int64_t distance, bool covers, unsigned depth,
                     std::optional<Local>& found) {
    for (Dwarf_Die& die : children_of(parent)) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
        search_locals(die, code, distance, covers && dwarf_haspc(&die, code) > 0, depth + 1, found);
      if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) continue;
      auto type = type_of(die);
      const auto begin = place_of(die, code);
      const std::string name = plain_name(die);
      if (!type || !begin || name.empty() || name == "this") continue;
      if (distance < *begin || static_cast<Bytes>(distance - *begin) >= std::max<Bytes>(1, size_of(*type))) continue;
      const bool better = !found || covers > found->covers || (covers == found->covers && depth > found->depth);
      if (better) found = Local{name, *type, *begin, covers, depth};
    }
  }

  // Above the frame pointer, if it is in memory there.
  static std::optional<std::int64_t> place_of(Dwarf_Die& die, Bytes code) {
    Dwarf_Attribute attribute;
    if (!dwarf_attr(&die, DW_AT_location, &attribute)) return std::nullopt;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(&attribute, &operations, &count) == 0) return place_of(operations, count);
    // A list of places: the present one, else the first.
    if (dwarf_getlocation_addr(&attribute, code, &operations, &count, 1) == 1) return place_of(operations, count);
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_getlocations(&attribute, at, &base, &begin, &end, &operations, &count)) > 0;)
      if (const auto place = place_of(operations, count)) return place;
    return std::nullopt;
  }
  static std::optional<std::int64_t> place_of(const Dwarf_Op* operations, std::size_t count) {
    if (count != 1 || (operations[0].atom != DW_OP_fbreg && operations[0].atom != DW_OP_breg6)) return std::nullopt;
    return static_cast<std::int64_t>(operations[0].number);
  }

  // The type that the compiler meant; none: there is no such, or several.
  static std::optional<Dwarf_Die> find_type(Dwarf_Die& unit, const AllocatedRow& row) {
    std::vector<Dwarf_Die> found;
    find_types(unit, row, found);
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
  }
  static void find_types(Dwarf_Die& parent, const AllocatedRow& row, std::vector<Dwarf_Die>& found) {
    for (Dwarf_Die& die : children_of(parent)) {
      const int tag = dwarf_tag(&die);
      const bool is_type = is_structure(die) || tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type;
      if ((is_type || tag == DW_TAG_typedef) && !dwarf_hasattr(&die, DW_AT_declaration) && plain_name(die) == row.name &&
          number_at(die, DW_AT_decl_line).value_or(0) == row.line) {
        auto type = is_type ? std::optional(die) : type_of(die);
        if (type && (is_type || plain_name(*type).empty()) && size_of(*type) == row.size) found.push_back(*type);
      }
      if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || is_structure(die))
        find_types(die, row, found);
    }
  }

  DebugInformation information_;
  AllocatedRows rows_;
  bool globals_listed_ = false;
  std::map<Bytes, Global> globals_;
  std::map<std::string, Global> by_linkage_name_;
  std::map<Bytes, Dwarf_Die> types_;
  std::map<std::tuple<Bytes, std::int64_t, Bytes>, std::optional<Part>> locals_;  // asked for again and again
};

Variables::Variables(std::string program) : program_(std::move(program)) {}
Variables::~Variables() = default;
Variables::Variables(Variables&&) noexcept = default;

Variables::Reader& Variables::reader() {
  if (!reader_) reader_ = std::make_unique<Reader>(program_);
  return *reader_;
}

std::optional<Part> Variables::global(std::uint64_t offset, std::uint64_t size) { return reader().global(offset, size); }
std::vector<GlobalNumber> Variables::numbers_named(const std::string& name) { return reader().numbers_named(name); }
Part Variables::part_of(const std::string& linkage_name, std::uint64_t offset, std::uint64_t size) {
  return reader().part_of(linkage_name, offset, size);
}
std::optional<Part> Variables::local(std::uint64_t code, std::int64_t distance, std::uint64_t size) {
  return reader().local(code, distance, size);
}
std::optional<AllocatedType> Variables::allocated_at(std::uint64_t code) { return reader().allocated_at(code); }
std::optional<AllocatedType> Variables::created_at(std::uint64_t code) { return reader().created_at(code); }
Part Variables::member(const AllocatedType& type, std::uint64_t offset, std::uint64_t size) {
  return reader().member(type, offset, size);
}

}  // namespace inspect::process
