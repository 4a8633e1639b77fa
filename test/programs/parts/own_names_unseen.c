// Part of fail/own_names_unseen.c: assembly, which no hooks are put into.
__asm__(
    ".text\n"
    ".globl getopt, strcpy, isascii\n"
    ".type getopt, @function\n.type strcpy, @function\n.type isascii, @function\n"
    "getopt:\nstrcpy:\nisascii:\n"
    "  incl calls(%rip)\n"
    "  xorl %eax, %eax\n"
    "  ret\n"
    ".comm calls, 4, 4\n");
