// expect: options=--reach=eats0,eats1,eats2 verdict=verified text="never do the propositions hold together"
// expect: options="--reach=eats0,eats1,eats2 --encoding=step --por=mpor" verdict=verified
// expect: options="--reach=eats0,eats1,eats2 --bound=22 --at-once --effort" verdict=inconclusive text=" decisions, "
// expect: options=--reach=ate0,ate1,ate2 verdict=bug text="BUG: proposition: ate0 && ate1 && ate2"
// expect: options="--reach=ate0,ate1,ate2 --bound=22 --at-once" verdict=bug
// expect: options="--reach=eats0,ate1" verdict=bug
// expect: cflags=-DN=2 options="--reach=eats0,eats1 --encoding=step" verdict=verified
#include "../../../bench/papers/philosophers.c"
