/* Searches from many threads while others put: no lock is needed around anything.
 *
 *     cc threads.c $(pkg-config --cflags --libs limelight) -lpthread && ./a.out
 */
#include <limelight.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRITERS = 2, READERS = 6, PUTS = 100, ITEMS = 10 };

static void check(lime_status status, const char *what) {
  if (status == LIME_OK) return;
  fprintf(stderr, "%s: %s: %s\n", what, lime_status_name(status), lime_last_error());
  exit(1);
}

struct work {
  lime_index *index;
  int number;
};

static void *writer(void *context) {
  struct work *work = context;
  for (int put = 0; put < PUTS; put++) {
    char lines[ITEMS * 96];
    size_t length = 0;
    for (int i = 0; i < ITEMS; i++) {
      length += (size_t)snprintf(lines + length, sizeof lines - length,
                                 "{\"id\":\"%d.%d.%d\",\"attributes\":{\"title\":\"Lime tree %d\"}}\n",
                                 work->number, put, i, put);
    }
    check(lime_index_put_lines(work->index, lines, length, NULL, NULL), "put");
  }
  return NULL;
}

/* A search sees whole puts only, and never fewer of them than one before. */
static void *reader(void *context) {
  struct work *work = context;
  uint64_t before = 0;
  do {
    lime_results *results;
    uint64_t total;
    const char *id;
    check(lime_index_search(work->index, "lime", LIME_TERMINATED, 3, NULL, &results), "search");
    check(lime_results_total(results, &total, NULL), "total");
    if (total < before || total % ITEMS != 0) {
      fprintf(stderr, "%d items after %d\n", (int)total, (int)before);
      exit(1);
    }
    if (total > 0) check(lime_results_id(results, 0, &id, NULL), "id");
    check(lime_results_free(results), "free");
    before = total;
  } while (before < WRITERS * PUTS * ITEMS);
  return NULL;
}

int main(void) {
  pthread_t threads[WRITERS + READERS];
  struct work work[WRITERS + READERS];
  lime_index *index;

  check(lime_index_open_memory(NULL, &index), "open");
  for (int i = 0; i < WRITERS + READERS; i++) {
    work[i].index = index;
    work[i].number = i;
    if (pthread_create(&threads[i], NULL, i < WRITERS ? writer : reader, &work[i]) != 0) return 1;
  }
  for (int i = 0; i < WRITERS + READERS; i++) pthread_join(threads[i], NULL);

  uint64_t count;
  check(lime_index_count(index, &count), "count");
  printf("%d items, found by %d threads while %d put them\n", (int)count, READERS, WRITERS);
  check(lime_index_close(index), "close");
  return count == WRITERS * PUTS * ITEMS ? 0 : 1;
}
