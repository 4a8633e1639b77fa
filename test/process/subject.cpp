// What the tests of this folder read. symbolizer_test.cpp knows the line of add().
namespace subject {

struct Lock {
  int owner;
  bool taken;
};

struct Account {
  long balance;
  Lock lock;
};

Account accounts[3];
int counter;

int add(int by) {
  int sum = counter;
  sum += by;
  counter = sum;
  return sum;
}

}  // namespace subject

extern "C" {
extern const char subject_text[];
const char subject_text[] = "the text of the subject";
}

// As inspect-cc writes it: one row, one twice, two that contradict each other, three that are damaged.
asm(".pushsection .inspect_types,\"\",@progbits\n"
    ".ascii \"one\\t3\\t5\\tNode\\t7\\t16\\t8\\t1\\n\"\n"
    ".ascii \"two\\t4\\t5\\tNode\\t7\\t16\\t0\\t0\\n\"\n"
    ".ascii \"two\\t4\\t5\\tNode\\t7\\t16\\t0\\t0\\n\"\n"
    ".ascii \"other\\t4\\t5\\tNode\\t7\\t16\\t0\\t0\\n\"\n"
    ".ascii \"other\\t4\\t5\\tNode\\t7\\t24\\t0\\t0\\n\"\n"
    ".ascii \"short\\t4\\t5\\tNode\\t7\\t16\\t0\\n\"\n"
    ".ascii \"word\\t4\\tx\\tNode\\t7\\t16\\t0\\t0\\n\"\n"
    ".ascii \"rest\\t4\\t5\\tNode\\t7\\t16b\\t0\\t0\\n\"\n"
    ".popsection");
