// The C++ library's functions by their symbols: exceptions, errors, hashes, numbers, locales.
#include <filesystem>
#include <ios>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "harness.hpp"

using namespace rows;
using std::size_t;

namespace {

// A call that ends with an exception, which is of no interest.
Call thrown(Call call) {
  call.make = [make = call.make]() -> std::uint64_t {
    try {
      return make();
    } catch (...) {
      return 0;
    }
  };
  return call;
}

// Bytes of an object that lives on: copies of it own nothing.
template <class T, class... A>
void* bytes_of(Memory& m, A... arguments) {
  const T* const lives_on = new T(arguments...);
  return m.object(reinterpret_cast<const void*>(lives_on), sizeof(T));
}

// A std::string whose text stands elsewhere; the room for short ones is not looked at.
void* text_object(Memory& m) {
  constexpr char kText[] = "longer than what a string holds in itself";
  struct {
    const void* text;
    size_t size, room[2];
  } const object{m.object(kText, sizeof kText - 1), sizeof kText - 1, {}};
  void* const place = m.value(object);
  m.larger();
  return place;
}

constexpr const char* kLogic[] = {"11logic_error", "12domain_error", "12length_error", "12out_of_range", "16invalid_argument"};
constexpr const char* kRuntime[] = {"13runtime_error", "11range_error", "14overflow_error", "15underflow_error"};

void add_error_constructors() {
  for (const auto& family : {std::vector<const char*>(std::begin(kLogic), std::end(kLogic)),
                             std::vector<const char*>(std::begin(kRuntime), std::end(kRuntime))})
    for (const std::string name : family)
      for (const char* const kind : {"C1", "C2"}) {
        const std::string begin = "_ZNSt" + name + kind;
        add((begin + "EPKc").c_str(), [](Memory& m, void* f) { return call<void>(f, m.out(16), m.text("why")); });
        add((begin + "ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE").c_str(), [](Memory& m, void* f) {
          void* const object = m.out(16);
          return call<void>(f, object, text_object(m));
        });
      }
  add("_ZNSt11logic_errorC1EOS_ _ZNSt11logic_errorC2EOS_ _ZNSt11logic_errorC1ERKS_ _ZNSt11logic_errorC2ERKS_",
      [](Memory& m, void* f) { return call<void>(f, m.out(16), bytes_of<std::logic_error>(m, "one")); });
  add("_ZNSt13runtime_errorC1EOS_ _ZNSt13runtime_errorC2EOS_ _ZNSt13runtime_errorC1ERKS_ _ZNSt13runtime_errorC2ERKS_",
      [](Memory& m, void* f) { return call<void>(f, m.out(16), bytes_of<std::runtime_error>(m, "one")); });
  add("_ZNSt11logic_erroraSEOS_ _ZNSt11logic_erroraSERKS_", [](Memory& m, void* f) {
    void* const object = bytes_of<std::logic_error>(m, "one");
    return call<void>(f, object, bytes_of<std::logic_error>(m, "two"));
  });
  add("_ZNSt13runtime_erroraSEOS_ _ZNSt13runtime_erroraSERKS_", [](Memory& m, void* f) {
    void* const object = bytes_of<std::runtime_error>(m, "one");
    return call<void>(f, object, bytes_of<std::runtime_error>(m, "two"));
  });
  add("_ZNSt8ios_base7failureB5cxx11C1EPKcRKSt10error_code _ZNSt8ios_base7failureB5cxx11C2EPKcRKSt10error_code",
      [](Memory& m, void* f) {
        char *const object = m.out(32), *const text = m.text("why");
        return call<void>(f, object, text, m.value(std::make_error_code(std::io_errc::stream)));
      });
}

void add_error_ends() {
  for (const std::string name : {"9exception", "10bad_typeid", "12bad_weak_ptr", "13bad_exception", "17bad_function_call",
                                 "20bad_array_new_length", "8bad_cast", "9bad_alloc"})
    for (const char* const kind : {"D1Ev", "D2Ev"})
      add(("_ZNSt" + name + kind).c_str(), [](Memory& m, void* f) {
        void* const object = m.out(8);
        m.maybe();  // the most basic stores nothing
        return call<void>(f, object);
      });
}

void add_what() {
  add("_ZNKSt8ios_base7failureB5cxx114whatEv",
      [](Memory& m, void* f) { return call<void*>(f, bytes_of<std::runtime_error>(m, "why")); });
  add("_ZNKSt10bad_typeid4whatEv _ZNKSt10lock_error4whatEv _ZNKSt12bad_weak_ptr4whatEv _ZNKSt13bad_exception4whatEv "
      "_ZNKSt17bad_function_call4whatEv _ZNKSt20bad_array_new_length4whatEv _ZNKSt8bad_cast4whatEv _ZNKSt9bad_alloc4whatEv "
      "_ZNKSt9exception4whatEv",
      [](Memory& m, void* f) {
        void* const object = m.out(8);
        m.untouched();
        return call<void*>(f, object);
      });
}

void add_throwing() {
  add("_ZSt16__throw_bad_castv _ZSt17__throw_bad_allocv _ZSt18__throw_bad_typeidv _ZSt21__throw_bad_exceptionv "
      "_ZSt25__throw_bad_function_callv _ZSt28__throw_bad_array_new_lengthv",
      [](Memory&, void* f) { return thrown(call<void>(f)); });
  add("_ZSt19__throw_logic_errorPKc _ZSt19__throw_range_errorPKc _ZSt19__throw_ios_failurePKc _ZSt20__throw_domain_errorPKc "
      "_ZSt20__throw_length_errorPKc _ZSt20__throw_out_of_rangePKc _ZSt21__throw_runtime_errorPKc "
      "_ZSt22__throw_overflow_errorPKc _ZSt23__throw_underflow_errorPKc _ZSt24__throw_invalid_argumentPKc",
      [](Memory& m, void* f) { return thrown(call<void>(f, m.text("why"))); });
  add("_ZSt19__throw_ios_failurePKci", [](Memory& m, void* f) { return thrown(call<void>(f, m.text("why"), 1)); });
  add("_ZSt20__throw_future_errori _ZSt20__throw_system_errori _ZSt19__throw_regex_errorNSt15regex_constants10error_typeE",
      [](Memory&, void* f) { return thrown(call<void>(f, 1)); });
  add("_ZSt24__throw_out_of_range_fmtPKcz",
      [](Memory& m, void* f) { return thrown(Variadic<char*>::call(f, m.text("at %zu of %zu"), size_t(2), size_t(1))); });
}

void add_numbers_and_hashes() {
  add("_ZSt11_Hash_bytesPKvmm _ZSt15_Fnv_hash_bytesPKvmm",
      [](Memory& m, void* f) { return call<size_t>(f, m.object("abcde", 5), size_t(5), size_t(7)); });
  const auto policy = [](Memory& m) {
    void* const object = bytes_of<std::__detail::_Prime_rehash_policy>(m);
    m.maybe();
    return object;
  };
  add("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
      [=](Memory& m, void* f) { return call<size_t>(f, policy(m), size_t(1), size_t(0), size_t(100)); });
  add("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
      [=](Memory& m, void* f) { return call<size_t>(f, policy(m), size_t(100)); });
  const auto convert = [](const char* name, size_t size) {
    add(name, [size](Memory& m, void* f) {
      char *const text = m.text("1.5"), *const out = m.out(size);
      int* const state = m.value(0);
      m.maybe();
      static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
      return call<void>(f, text, out, state, m.value(c));
    });
  };
  convert("_ZSt14__convert_to_vIfEvPKcRT_RSt12_Ios_IostateRKP15__locale_struct", sizeof(float));
  convert("_ZSt14__convert_to_vIdEvPKcRT_RSt12_Ios_IostateRKP15__locale_struct", sizeof(double));
  convert("_ZSt14__convert_to_vIeEvPKcRT_RSt12_Ios_IostateRKP15__locale_struct", sizeof(long double));
}

void add_locales_and_clocks() {
  add("_ZNSt6localeC1Ev _ZNSt6localeC2Ev", [](Memory& m, void* f) { return m.locks(), call<void>(f, m.out(8)); });
  add("_ZNSt6localeC1ERKS_ _ZNSt6localeC2ERKS_", [](Memory& m, void* f) {
    m.locks();
    return call<void>(f, m.out(8), bytes_of<std::locale>(m));
  });
  add("_ZNSt6localeaSERKS_", [](Memory& m, void* f) {
    m.locks();
    void* const object = bytes_of<std::locale>(m);
    return call<void>(f, object, bytes_of<std::locale>(m));
  });
  add("_ZNSt6localeD1Ev _ZNSt6localeD2Ev", [](Memory& m, void* f) {
    void* const object = bytes_of<std::locale>(m);
    m.maybe();  // an end counts as a change
    return m.locks(), call<void>(f, object);
  });
  add("_ZNSt7__cxx118numpunctIcED1Ev _ZNSt7__cxx118numpunctIcED2Ev", [](Memory& m, void* f) {
    void* const object = bytes_of<std::numpunct<char>>(m);
    m.maybe();
    return call<void>(f, object);
  });
  add("_ZNKSt6localeeqERKS_", [](Memory& m, void* f) {
    m.sets_up();
    void* const object = bytes_of<std::locale>(m);
    return call<bool>(f, object, bytes_of<std::locale>(m));
  });
  add("_ZNSt6locale7classicEv _ZNSt3_V215system_categoryEv _ZNSt3_V216generic_categoryEv _ZSt15future_categoryv "
      "_ZSt17iostream_categoryv _ZNSt6chrono3_V212steady_clock3nowEv _ZNSt6chrono3_V212system_clock3nowEv "
      "_ZNSt6thread20hardware_concurrencyEv _ZSt13get_terminatev _ZSt15get_new_handlerv _ZSt18uncaught_exceptionv "
      "_ZSt19uncaught_exceptionsv _ZNSt5ctypeIcE13classic_tableEv _ZNSt6locale5facet15_S_get_c_localeEv",
      [](Memory& m, void* f) { return m.sets_up(), call<size_t>(f); });
}

// --- names of files

void* path_object(Memory& m, const char* name) { return bytes_of<std::filesystem::path>(m, name); }

// `form`: the name as it is mangled behind that of the class.
template <class... Kin>
void add_path(const char* constant, std::function<Call(Memory&, void*)> prepare, Kin... forms) {
  for (const char* const form : {forms...})
    add((std::string("_ZN") + constant + "St10filesystem7__cxx114path" + form).c_str(), prepare);
}

void add_paths() {
  constexpr char kName[] = "/a/directory/a name.text";
  add_path(
      "K", [=](Memory& m, void* f) { return call<int>(f, path_object(m, kName)); }, "12has_filenameEv", "13has_root_nameEv",
      "13has_root_pathEv", "15has_parent_pathEv", "17has_relative_pathEv", "18has_root_directoryEv", "17_M_find_extensionEv");
  add_path(
      "K", [=](Memory& m, void* f) { return call<int>(f, path_object(m, kName), path_object(m, kName)); }, "7compareERKS1_");
  add_path(
      "K", [=](Memory& m, void* f) { return call<int>(f, path_object(m, kName), size_t(3), m.object("/a/", 3)); },
      "7compareESt17basic_string_viewIcSt11char_traitsIcEE");
  const auto made = [=](Memory& m, void* f) {
    void* const made = m.out(sizeof(std::filesystem::path));
    return call<void*>(f, made, path_object(m, kName));
  };
  add_path("K", made, "9root_nameEv", "9root_pathEv", "11parent_pathEv", "13relative_pathEv", "14root_directoryEv",
           "16lexically_normalEv");
  const auto made_of_two = [=](Memory& m, void* f) {
    void* const made = m.out(sizeof(std::filesystem::path));
    void* const path = path_object(m, kName);
    return call<void*>(f, made, path, path_object(m, "/a/other directory/name"));
  };
  add_path("K", made_of_two, "18lexically_relativeERKS1_", "19lexically_proximateERKS1_");
  add_path(
      "", [=](Memory& m, void* f) { return call<void*>(f, path_object(m, kName)); }, "14_M_split_cmptsEv",
      "15remove_filenameEv");
  const auto changed = [=](Memory& m, void* f) {
    void* const path = path_object(m, kName);
    return call<void*>(f, path, path_object(m, "another/longer name"));
  };
  add_path("", changed, "16replace_filenameERKS1_", "17replace_extensionERKS1_", "aSERKS1_", "dVERKS1_", "pLERKS1_");
  add_path(
      "", [=](Memory& m, void* f) { return call<void>(f, path_object(m, kName), size_t(3), m.object("b/c", 3)); },
      "9_M_appendESt17basic_string_viewIcSt11char_traitsIcEE", "9_M_concatESt17basic_string_viewIcSt11char_traitsIcEE");
  const auto parts = [=](Memory& m) {
    const auto* const path = new std::filesystem::path(kName);
    return m.object(reinterpret_cast<const char*>(path) + sizeof(std::string), sizeof(void*));
  };
  add_path("K", [=](Memory& m, void* f) { return call<const void*>(f, parts(m)); }, "5_List5beginEv", "5_List3endEv");
  add_path("", [](Memory& m, void* f) { return call<void>(f, m.out(8)); }, "5_ListC1Ev", "5_ListC2Ev");
  const auto copied = [=](Memory& m, void* f) {
    void* const copy = m.out(8);
    return call<void>(f, copy, parts(m));
  };
  add_path("", copied, "5_ListC1ERKS2_", "5_ListC2ERKS2_");
  const auto assigned = [=](Memory& m, void* f) {
    void* const copy = parts(m);
    return call<void*>(f, copy, parts(m));
  };
  add_path("", assigned, "5_ListaSERKS2_");
}

}  // namespace

void add_cxx_trials() {
  add_error_constructors();
  add_error_ends();
  add_what();
  add_throwing();
  add_numbers_and_hashes();
  add_locales_and_clocks();
  add_paths();
}
