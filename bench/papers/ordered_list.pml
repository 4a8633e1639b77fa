/* The list of ordered_list.c for spin: nodes are taken from an array, the first free one first, and given back. */
#ifndef L
#define L 2
#endif
#define NODES (L + 1)
byte key[NODES];
byte next[NODES];   /* 0: none; node 0 is the head */
bool lock[NODES];
bool used[NODES];

#define LOCK(n) atomic { !lock[n] -> lock[n] = true }

inline find(k) {
  previous = 0;
  LOCK(previous);
  current = next[previous];
  do
  :: current == 0 -> break
  :: else ->
     LOCK(current);
     if
     :: key[current] >= k -> break
     :: else -> lock[previous] = false; previous = current; current = next[current]
     fi
  od
}

active proctype inserter() {
  byte k = 1, previous, current, node;
  do
  :: k <= L ->
     find(k);
     if
     :: current != 0 && key[current] == k -> skip
     :: else ->
        d_step {
          node = 1;
          do
          :: used[node] -> node++
          :: else -> break
          od;
          used[node] = true
        };
        key[node] = k;
        next[node] = current;
        next[previous] = node
     fi;
     lock[previous] = false;
     if
     :: current != 0 -> lock[current] = false
     :: else -> skip
     fi;
     d_step { previous = 0; current = 0; node = 0; k++ }
  :: else -> break
  od
}

active proctype extractor() {
  byte k = 1, previous, current;
  do
  :: k <= L ->
     find(k);
     if
     :: current != 0 && key[current] == k ->
        next[previous] = next[current];
        d_step { lock[current] = false; used[current] = false; key[current] = 0; next[current] = 0 }
     :: else ->
        if
        :: current != 0 -> lock[current] = false
        :: else -> skip
        fi
     fi;
     lock[previous] = false;
     d_step { previous = 0; current = 0; k++ }
  :: else -> break
  od
}
