/* What the tests of the C API share. */
#ifndef CHECK_H
#define CHECK_H

#include <limelight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(literal) (literal), sizeof(literal) - 1

/* The call must end so. */
#define EXPECT(status, call)                                                                  \
  do {                                                                                        \
    lime_status got_ = (call);                                                                \
    if (got_ != (status)) {                                                                   \
      fprintf(stderr, "%s:%d: %s gives %s (%s), not %s\n", __FILE__, __LINE__, #call,         \
              lime_status_name(got_), lime_last_error(), #status);                            \
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)
#define OK(call) EXPECT(LIME_OK, call)

/* The condition must hold. */
#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                 \
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)

/* A lent text must be this one, with a NUL behind. */
#define SAME(literal, text, length) \
  CHECK((length) == strlen(literal) && memcmp((text), (literal), (length) + 1) == 0)

#endif
