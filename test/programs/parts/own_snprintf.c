// A program's own function by a library's name: its arguments are as they were given.
#include <stdarg.h>
#include <stddef.h>

int snprintf(char* to, size_t size, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int first = va_arg(list, int);
  const double second = va_arg(list, double);
  va_end(list);
  to[0] = format[0];
  return size == 40 && second == 0.5 ? 70 + first : -1;
}
