// What a promise keeps: the library would count the owners of an exception in it unseen.
#include <future>

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

future_error::~future_error() noexcept {}
const char* future_error::what() const noexcept { return logic_error::what(); }

}  // namespace std
