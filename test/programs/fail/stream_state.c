// expect: case=end cflags="'-DCHANGE=fgetc(stream)' '-DFINE=!feof(stream)' -DPATH='\"/dev/null\"' -DMODE='\"r\"'" verdict=bug kind=assertion
// expect: case=cleared cflags="'-DBEFORE=fgetc(stream)' '-DCHANGE=clearerr(stream)' '-DFINE=feof(stream)' -DPATH='\"/dev/null\"' -DMODE='\"r\"'" verdict=bug kind=assertion
// expect: case=pushed cflags="'-DCHANGE=ungetc(97, stream)' '-DFINE=fgetc(stream) == 0' -DPATH='\"/dev/zero\"' -DMODE='\"r\"'" verdict=bug kind=assertion
// expect: case=reopened cflags="'-DBEFORE=fputc(97, stream)' '-DCHANGE=freopen(\"/dev/full\", \"w\", stream)' '-DFINE=fputc(97, stream) == 97 && !fflush(stream)' -DPATH='\"/dev/null\"' -DMODE='\"w\"'" verdict=bug kind=assertion
// expect: case=flushed cflags="'-DBEFORE=fputc(97, stream)' '-DCHANGE=fflush(NULL)' '-DFINE=__fpending(stream) == 1' -DPATH='\"/dev/null\"' -DMODE='\"w\"'" verdict=bug kind=assertion
// expect: case=closed cflags="'-DCHANGE=fclose(stream)' '-DFINE=fputc(97, stream) == 97' -DPATH='\"/dev/null\"' -DMODE='\"w\"'" verdict=bug kind=memory-error
// expect: case=number cflags="'-DCHANGE=close(fileno(stream))' '-DFINE=fputc(97, stream) == 97 && !fflush(stream)' -DPATH='\"/dev/null\"' -DMODE='\"w\"'" verdict=bug kind=assertion
// What a stream keeps (its buffer, its flags, its descriptor) is changed by one thread and looked at by another.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#ifndef BEFORE
#define BEFORE 0
#endif

static FILE* stream;

static void* change(void* unused) {
  (void)(CHANGE);
  return unused;
}

int main(void) {
  stream = fopen(PATH, MODE);
  (void)(BEFORE);
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  assert(FINE);
  pthread_join(thread, NULL);
  return 0;
}
