// Calls a routine; should it leave by an exception or by pthread_exit, unwound(object) runs on the way.
#pragma once

#ifdef __cplusplus
extern "C"
#endif
    void
    inspect_call_guarded(void (*routine)(void), void (*unwound)(void*), void* object);
