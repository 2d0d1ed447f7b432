/* Callbacks that close what they are called for, threads that close what others use. */
#include <pthread.h>

#include "check.h"

#define BAD(call) EXPECT(LIME_ERROR_HANDLE, call)

/* Callbacks that close what they are called for, and that use it. */
struct closing {
  lime_index *index;
  int pieces;
};

/* A line of a kilobyte, so that a load reports often. */
static char line[1100];

static int next_piece(const char **text, size_t *length, void *context) {
  struct closing *closing = context;
  *text = line;
  *length = closing->pieces-- > 0 ? strlen(line) : 0;
  return 0;
}

static int close_index(uint64_t read, uint64_t put, uint64_t refused, uint64_t bytes,
                       double seconds, void *context) {
  struct closing *closing = context;
  (void)read, (void)put, (void)refused, (void)bytes, (void)seconds;
  lime_status status = lime_index_close(closing->index);
  CHECK(status == LIME_OK || status == LIME_ERROR_HANDLE);
  uint64_t count;
  BAD(lime_index_count(closing->index, &count));
  return 0;
}

static int use_index(uint64_t read, uint64_t put, uint64_t refused, uint64_t bytes,
                     double seconds, void *context) {
  struct closing *closing = context;
  (void)read, (void)put, (void)refused, (void)bytes, (void)seconds;
  uint64_t count;
  OK(lime_index_put_lines(closing->index, TEXT("{\"id\":\"own\"}"), NULL, NULL));
  OK(lime_index_count(closing->index, &count));
  OK(lime_index_commit(closing->index));
  return 0;
}

static int close_at_first_piece(const char **text, size_t *length, void *context) {
  struct closing *closing = context;
  lime_index_close(closing->index);
  return next_piece(text, length, context);
}

static void callbacks(void) {
  char words[1001];
  for (int i = 0; i < 1000; i++) words[i] = i % 5 == 4 ? ' ' : (char)('a' + i % 7);
  words[1000] = 0;
  snprintf(line, sizeof line, "{\"attributes\":{\"title\":\"lime\",\"comment\":\"%s\"}}\n", words);
  for (uint32_t threads = 1; threads <= 3; threads += 2) {
    lime_load_options options = LIME_LOAD_OPTIONS_INIT;
    lime_receipt *receipt;
    options.threads = threads;
    options.memory_budget = 1 << 20;
    struct closing closing = {NULL, 6000};
    OK(lime_index_open_memory(NULL, &closing.index));
    lime_status status =
        lime_index_load(closing.index, &options, next_piece, close_index, &closing, &receipt);
    CHECK(status != LIME_OK && receipt == NULL);
    BAD(lime_index_close(closing.index));

    closing.pieces = 10;
    OK(lime_index_open_memory(NULL, &closing.index));
    status = lime_index_load(closing.index, &options, close_at_first_piece, NULL, &closing, NULL);
    CHECK(status != LIME_OK);

    closing.pieces = 6000;
    OK(lime_index_open_memory(NULL, &closing.index));
    OK(lime_index_load(closing.index, &options, next_piece, use_index, &closing, &receipt));
    OK(lime_receipt_free(receipt));
    OK(lime_index_close(closing.index));
  }
}

/* 64 threads on one handle of each kind, while one of them closes all. */
static struct shared {
  lime_index *index;
  lime_item *item;
  lime_results *results;
  lime_cancellation *cancellation;
  pthread_barrier_t start;
} shared;

static void good(lime_status status) {
  CHECK(status == LIME_OK || status == LIME_ERROR_HANDLE || status == LIME_ERROR_CLOSED ||
        status == LIME_ERROR_CANCELLED || status == LIME_ERROR_NOT_FOUND);
}

static void *work(void *context) {
  int number = *(int *)context;
  pthread_barrier_wait(&shared.start);
  for (int round = 0; round < 50; round++) {
    lime_results *results;
    lime_receipt *receipt;
    uint64_t count;
    const char *text;
    size_t length;
    lime_search_options options = LIME_SEARCH_OPTIONS_INIT;
    options.cancellation = shared.cancellation;
    good(lime_index_search(shared.index, TEXT("lime"), 5, &options, &results));
    if (results != NULL) {
      lime_status status = lime_results_id(results, 0, &text, &length);
      CHECK(status == LIME_OK ? strlen(text) == length : status == LIME_ERROR_ARGUMENT);
      OK(lime_results_free(results));
    }
    good(lime_index_count(shared.index, &count));
    if (round % 10 == number % 10) {
      good(lime_index_put_lines(shared.index, TEXT("{\"attributes\":{\"title\":\"lime\"}}"), NULL,
                                &receipt));
      if (receipt != NULL) OK(lime_receipt_free(receipt));
    }
    good(lime_item_set_number(shared.item, TEXT("rating"), number));
    good(lime_item_json(shared.item, &text, &length));
    good(lime_results_id(shared.results, 0, &text, &length));
    good(lime_results_attributes(shared.results, 0, &text, &length));
    if (number == 0 && round == 40) {
      good(lime_item_free(shared.item));
      good(lime_results_free(shared.results));
      good(lime_cancellation_cancel(shared.cancellation));
      good(lime_cancellation_free(shared.cancellation));
      good(lime_index_close(shared.index));
    }
  }
  return NULL;
}

static void threads(void) {
  enum { COUNT = 64 };
  pthread_t threads[COUNT];
  int numbers[COUNT];
  OK(lime_index_open_memory(NULL, &shared.index));
  OK(lime_item_new(&shared.item));
  OK(lime_cancellation_new(&shared.cancellation));
  OK(lime_index_put_lines(shared.index, TEXT("{\"id\":\"1\",\"attributes\":{\"title\":\"lime\"}}"),
                          NULL, NULL));
  OK(lime_index_search(shared.index, TEXT("lime"), 5, NULL, &shared.results));
  CHECK(pthread_barrier_init(&shared.start, NULL, COUNT) == 0);
  for (int i = 0; i < COUNT; i++) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (int i = 0; i < COUNT; i++) pthread_join(threads[i], NULL);
  BAD(lime_index_close(shared.index));
  pthread_barrier_destroy(&shared.start);
}

/* Each thread has its own last error, which is there until its next failure. */
static void *fail(void *context) {
  (void)context;
  CHECK(strcmp(lime_last_error(), "") == 0);
  BAD(lime_item_free(NULL));
  CHECK(strstr(lime_last_error(), "NULL") != NULL);
  return NULL;
}

static void errors(void) {
  pthread_t thread;
  BAD(lime_item_free((lime_item *)8));
  const char *message = lime_last_error();
  CHECK(strstr(message, "none at all") != NULL);
  CHECK(pthread_create(&thread, NULL, fail, NULL) == 0);
  pthread_join(thread, NULL);
  lime_item *item;
  OK(lime_item_new(&item));
  OK(lime_item_free(item));
  CHECK(lime_last_error() == message && strstr(message, "none at all") != NULL);
}

int main(void) {
  callbacks();
  errors();
  threads();
  /* Open handles at the end are no fault. */
  lime_index *index;
  OK(lime_index_open_memory(NULL, &index));
  OK(lime_index_put_lines(index, TEXT("{\"id\":\"1\"}"), NULL, NULL));
  return 0;
}
