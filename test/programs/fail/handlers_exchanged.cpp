// expect: case=new verdict=bug kind=assertion cflags="-DHANDLER=std::new_handler -DSET=std::set_new_handler -DGET=std::get_new_handler"
// expect: case=terminate verdict=bug kind=assertion cflags="-DHANDLER=std::terminate_handler -DSET=std::set_terminate -DGET=std::get_terminate"
// Another thread may set the handler first. pass/handlers_exchanged.cpp expects that.
#define DEFECT
#include "../pass/handlers_exchanged.cpp"
