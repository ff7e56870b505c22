/* Marks of ours in the upper half of tp_flags, which CPython leaves alone. */
#ifndef KIMI_TYPE_FLAGS_H
#define KIMI_TYPE_FLAGS_H

#include <Python.h>

#define K_OPEN (1UL << 40)      /* every class of the MRO is listed or made by guest code */
#define K_LOOK (1UL << 41)      /* ... but what attributes its instances have needs a look each time */
#define K_MADE (1UL << 42)      /* made by guest code */
#define K_KEPT (1UL << 43)      /* some instances belong to the shared library, and no guest may change them */
#define K_STATE (1UL << 44)     /* has attributes of the shared library whose values could be changed in place */
#define K_ARRAY (1UL << 45)     /* array.array itself, whose items are where arrays.h expects them */

#define k_flags_of(type) (((PyTypeObject *)(type))->tp_flags)

#endif
