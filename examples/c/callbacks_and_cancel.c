/* Loads a text that comes in pieces, shows how far it is, ends a load, and cancels searches.
 *
 *     cc callbacks_and_cancel.c $(pkg-config --cflags --libs limelight) && ./a.out
 */
#include <limelight.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(lime_status status, const char *what) {
  if (status == LIME_OK) return;
  fprintf(stderr, "%s: %s: %s\n", what, lime_status_name(status), lime_last_error());
  exit(1);
}

struct source {
  int next, end;     /* numbers of items */
  char piece[4096];  /* lent until the next call */
  uint64_t seen;     /* items put, as the progress told */
  uint64_t stop_at;  /* end the load then; 0 never */
};

/* Gives a few lines at a time; length 0 is the end. Real sources read files or sockets here. */
static int next_piece(const char **text, size_t *length, void *context) {
  struct source *source = context;
  size_t used = 0;
  while (source->next < source->end && used < sizeof source->piece - 96) {
    used += (size_t)snprintf(source->piece + used, sizeof source->piece - used,
                             "{\"id\":\"%d\",\"attributes\":{\"title\":\"Leaf %d of a tree\"}}\n",
                             source->next, source->next);
    source->next++;
  }
  *text = source->piece;
  *length = used;
  return 0;
}

static int show_progress(uint64_t read, uint64_t put, uint64_t refused, uint64_t bytes,
                         double seconds, void *context) {
  struct source *source = context;
  (void)read, (void)refused, (void)bytes, (void)seconds;
  source->seen = put;
  return source->stop_at != 0 && put >= source->stop_at;
}

static lime_cancellation *interrupt;

/* Cancelling is safe in a signal handler. */
static void on_signal(int number) {
  (void)number;
  lime_cancellation_cancel(interrupt);
}

int main(void) {
  lime_index *index;
  lime_receipt *receipt;
  lime_results *results;
  uint64_t put, count;
  static struct source all = {0, 20000, {0}, 0, 0};
  static struct source some = {20000, 200000, {0}, 0, 1000};

  check(lime_index_open_memory(NULL, &index), "open");
  check(lime_index_load(index, NULL, next_piece, show_progress, &all, &receipt), "load");
  check(lime_receipt_number(receipt, LIME_RECEIPT_PUT, &put), "receipt");
  check(lime_receipt_free(receipt), "free receipt");
  printf("loaded %d items\n", (int)put);
  if (put != 20000 || all.seen != put) return 1;

  /* A callback that returns non-zero ends the load; what was read until then is there. */
  lime_status status = lime_index_load(index, NULL, next_piece, show_progress, &some, &receipt);
  if (status != LIME_ERROR_CANCELLED) return 1;
  check(lime_receipt_number(receipt, LIME_RECEIPT_PUT, &put), "receipt");
  check(lime_receipt_free(receipt), "free receipt");
  check(lime_index_count(index, &count), "count");
  printf("ended a load: %s\n", lime_last_error());
  if (put < 1000 || put >= 180000 || count != 20000 + put) return 1;

  /* Searches are cancelled from another thread or from a signal handler. */
  check(lime_cancellation_new(&interrupt), "cancellation");
  signal(SIGINT, on_signal);
  lime_search_options options = LIME_SEARCH_OPTIONS_INIT;
  options.cancellation = interrupt;
  check(lime_index_search(index, "leaf", 4, 10, &options, &results), "search");
  check(lime_results_free(results), "free results");
  raise(SIGINT);
  status = lime_index_search(index, "leaf", 4, 10, &options, &results);
  printf("cancelled: %s\n", lime_last_error());
  if (status != LIME_ERROR_CANCELLED || results != NULL) return 1;
  check(lime_cancellation_free(interrupt), "free cancellation");
  check(lime_index_close(index), "close");
  return 0;
}
