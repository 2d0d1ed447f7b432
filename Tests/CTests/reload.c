/* Loads the library by name, again and again: how long it takes, and that nothing breaks or grows. */
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static long resident_kilobytes(void) {
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
  fclose(file);
  return pages * 4;
}

typedef lime_status (*open_memory)(const lime_open_options *, lime_index **);
typedef lime_status (*put_lines)(lime_index *, const char *, size_t, const lime_lines_options *,
                                 lime_receipt **);
typedef lime_status (*close_index)(lime_index *);

/* ISO C has no way to cast what dlsym gives to a function. */
static void find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  CHECK(symbol != NULL);
  memcpy(function, &symbol, sizeof symbol);
}

/* A thread that outlives the library's last dlclose, with a last error of its own. */
static void *use_once(void *context) {
  const char *path = context;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
  close_index close;
  find(library, "lime_index_close", &close);
  CHECK(close(NULL) == LIME_ERROR_HANDLE);
  dlclose(library);
  return NULL;
}

/* reload LIBRARY: the test; reload LIBRARY once: the milliseconds that the first loading takes. */
int main(int argc, char **argv) {
  CHECK(argc >= 2);
  double start = now();
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  double loaded = now();
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
  CHECK(library != NULL);
  if (argc > 2) {
    printf("%.3f\n", loaded - start);
    return 0;
  }
  long before = 0;
  for (int round = 0; round < 200; round++) {
    if (library == NULL) library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    open_memory open;
    put_lines put;
    close_index close;
    lime_index *index;
    find(library, "lime_index_open_memory", &open);
    find(library, "lime_index_put_lines", &put);
    find(library, "lime_index_close", &close);
    CHECK(open(NULL, &index) == LIME_OK);
    CHECK(put(index, TEXT("{\"id\":\"1\"}"), NULL, NULL) == LIME_OK);
    /* Every tenth index stays open: its thread is still there. */
    if (round % 10 != 0) CHECK(close(index) == LIME_OK);
    CHECK(dlclose(library) == 0);
    library = NULL;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, use_once, argv[1]) == 0);
    pthread_join(thread, NULL);
    if (round == 100) before = resident_kilobytes();
  }
  long grown = resident_kilobytes() - before;
  printf("%ld KB more after 100 rounds\n", grown);
  CHECK(grown < 4096);
  return 0;
}
