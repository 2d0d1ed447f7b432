/* Calls that end before their time: cancelled, or since another thread closes what they use. */
#include <dirent.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int line_count = 20000; /* a multiple of 100 */
static char *lines;            /* so many items */
static size_t line_size;       /* bytes of each */

static void make_lines(void) {
  line_size = 200;
  lines = malloc((size_t)line_count * line_size + 1);
  CHECK(lines != NULL);
  for (int i = 0; i < line_count; i++) {
    char *line = lines + (size_t)i * line_size;
    int used = snprintf(line, line_size, "{\"id\":\"%d\",\"attributes\":{\"title\":\"leaf w%d w%d w%d", i,
                        i % 977, i % 1511, i * 7919 % 49999);
    memset(line + used, ' ', line_size - (size_t)used);
    memcpy(line + line_size - 5, "\"}}", 3);
    line[line_size - 1] = '\n';
  }
  lines[(size_t)line_count * line_size] = 0;
}

static uint64_t count_of(lime_index *index) {
  uint64_t count;
  OK(lime_index_count(index, &count));
  return count;
}

static void check_whole(lime_index *index) {
  size_t problems;
  OK(lime_index_verify(index, NULL, &problems, NULL));
  CHECK(problems == 0);
}

static uint64_t receipt_number(lime_receipt *receipt, lime_receipt_part part) {
  uint64_t number;
  OK(lime_receipt_number(receipt, part, &number));
  return number;
}

/* What the callbacks of a load are given. */
struct feed {
  lime_index *index;
  lime_cancellation *cancellation;
  int given;     /* pieces so far */
  int last;      /* the piece at which it cancels or closes */
  uint64_t told; /* items put, as progress told last */
};

static int give(struct feed *feed, const char **text, size_t *length) {
  enum { PIECES = 100 };
  size_t piece = (size_t)(line_count / PIECES) * line_size;
  *text = lines + (size_t)feed->given * piece;
  *length = feed->given < PIECES ? piece : 0;
  feed->given++;
  return 0;
}

static int cancel_at_last(const char **text, size_t *length, void *context) {
  struct feed *feed = context;
  if (feed->given == feed->last) OK(lime_cancellation_cancel(feed->cancellation));
  return give(feed, text, length);
}

static int note_progress(uint64_t read, uint64_t put, uint64_t refused, uint64_t bytes,
                         double seconds, void *context) {
  (void)read, (void)refused, (void)bytes, (void)seconds;
  ((struct feed *)context)->told = put;
  return 0;
}

/* After a cancelled load what was acknowledged before is there, what the receipt tells is, and no more. */
static void loads(const char *folder) {
  for (uint32_t threads = 1; threads <= 3; threads++) {
    for (int last = 0; last <= 100; last += 33) {
      lime_index *index;
      lime_receipt *receipt;
      struct feed feed = {NULL, NULL, 0, last, 0};
      OK(lime_index_open(folder, NULL, &index));
      OK(lime_index_delete_all(index, NULL));
      OK(lime_index_put_lines(index, TEXT("{\"id\":\"before\"}"), NULL, NULL));
      OK(lime_cancellation_new(&feed.cancellation));
      lime_load_options options = LIME_LOAD_OPTIONS_INIT;
      options.threads = threads;
      options.memory_budget = 1 << 20;
      options.cancellation = feed.cancellation;
      EXPECT(LIME_ERROR_CANCELLED,
             lime_index_load(index, &options, cancel_at_last, note_progress, &feed, &receipt));
      CHECK(strstr(lime_last_error(), "cancelled") != NULL);
      uint64_t put = receipt_number(receipt, LIME_RECEIPT_PUT);
      CHECK(put < (uint64_t)line_count && put == receipt_number(receipt, LIME_RECEIPT_READ) && put == feed.told);
      CHECK(put * line_size == receipt_number(receipt, LIME_RECEIPT_BYTES));
      OK(lime_receipt_free(receipt));
      CHECK(count_of(index) == put + 1);
      check_whole(index);
      EXPECT(LIME_ERROR_CANCELLED,
             lime_index_load_lines(index, lines, line_size, &options, NULL, NULL, NULL));
      OK(lime_cancellation_free(feed.cancellation));
      EXPECT(LIME_ERROR_HANDLE,
             lime_index_load_lines(index, lines, line_size, &options, NULL, NULL, NULL));
      OK(lime_index_close(index));
      OK(lime_index_open(folder, NULL, &index));
      CHECK(count_of(index) == put + 1);
      /* It can be loaded again from the beginning. */
      OK(lime_index_load_lines(index, lines, (size_t)line_count * line_size, NULL, NULL, NULL, &receipt));
      CHECK(receipt_number(receipt, LIME_RECEIPT_GENERATION) > 0);
      OK(lime_receipt_free(receipt));
      CHECK(count_of(index) == (uint64_t)line_count + 1);
      check_whole(index);
      OK(lime_index_close(index));
    }
  }
}

/* A call in a thread of its own, which the main thread cancels. */
struct work {
  lime_index *index;
  const char *folder;
  lime_query *query;
  lime_work_options options;
  lime_status (*call)(struct work *work);
  lime_status status;
  double seconds;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *run(void *context) {
  struct work *work = context;
  double start = now();
  work->status = work->call(work);
  work->seconds = now() - start;
  return NULL;
}

static lime_status merge(struct work *work) { return lime_index_merge(work->index, 1, &work->options); }
static lime_status verify(struct work *work) {
  return lime_index_verify(work->index, &work->options, &(size_t){0}, NULL);
}
static lime_status verify_folder(struct work *work) {
  return lime_verify(work->folder, &work->options, &(size_t){0}, NULL);
}
static lime_status delete_query(struct work *work) {
  return lime_index_delete_query(work->index, work->query, &work->options, NULL);
}

static int files_in(const char *folder) {
  int count = 0;
  DIR *list = opendir(folder);
  CHECK(list != NULL);
  while (readdir(list) != NULL) count++;
  closedir(list);
  return count;
}

static uint64_t segments_of(lime_index *index) {
  lime_stats *stats;
  uint64_t count;
  OK(lime_index_stats(index, &stats));
  OK(lime_stats_number(stats, LIME_STATS_SEGMENTS, &count));
  OK(lime_stats_free(stats));
  return count;
}

/* A cancelled merge, verification or delete leaves the index as it was, with no file more. */
static void works(const char *folder) {
  static lime_status (*const calls[])(struct work *) = {merge, verify, verify_folder, delete_query};
  struct work work = {NULL, folder, NULL, LIME_WORK_OPTIONS_INIT, NULL, LIME_OK, 0};
  OK(lime_index_open(folder, NULL, &work.index));
  OK(lime_index_delete_all(work.index, NULL));
  for (int part = 0; part < 4; part++) {
    OK(lime_index_load_lines(work.index, lines + (size_t)(part * (line_count / 4)) * line_size,
                             (size_t)(line_count / 4) * line_size, NULL, NULL, NULL, NULL));
  }
  OK(lime_query_everything(&work.query));
  uint64_t segments = segments_of(work.index);
  int files = files_in(folder);
  CHECK(segments > 1);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    work.call = calls[i];
    /* At once, when it was cancelled before; else soon, if the call has not ended by then. */
    int in_its_middle = 0;
    for (int delay = 0; delay <= 16000 && (delay == 0 || work.status != LIME_OK);
         delay = delay == 0 ? 125 : delay * 2) {
      pthread_t thread;
      OK(lime_cancellation_new(&work.options.cancellation));
      if (delay == 0) OK(lime_cancellation_cancel(work.options.cancellation));
      CHECK(pthread_create(&thread, NULL, run, &work) == 0);
      if (delay > 0) {
        usleep((useconds_t)delay);
        OK(lime_cancellation_cancel(work.options.cancellation));
      }
      pthread_join(thread, NULL);
      OK(lime_cancellation_free(work.options.cancellation));
      CHECK(work.status == LIME_ERROR_CANCELLED || (delay > 0 && work.status == LIME_OK));
      if (work.status == LIME_OK) break;
      in_its_middle += delay > 0;
      CHECK(count_of(work.index) == (uint64_t)line_count);
      CHECK(segments_of(work.index) == segments);
      CHECK(files_in(folder) == files);
      check_whole(work.index);
    }
    CHECK(in_its_middle > 0);
    if (calls[i] == merge && work.status == LIME_OK) {
      CHECK(segments_of(work.index) == 1);
      segments = 1;
      files = files_in(folder);
    }
  }
  work.options.cancellation = NULL;
  work.options.flags = 0x80000000u;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    EXPECT(LIME_ERROR_UNSUPPORTED, calls[i](&work));
  }
  work.options.flags = 0;
  work.options.cancellation = (lime_cancellation *)work.query;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    EXPECT(LIME_ERROR_HANDLE, calls[i](&work));
  }
  work.options.cancellation = NULL;
  OK(lime_query_free(work.query));
  OK(lime_index_close(work.index));
}

/* A thread that closes an index while another one loads into it: the load waits for it here. */
static void *close_index(void *context) {
  OK(lime_index_close(((struct feed *)context)->index));
  return NULL;
}

static int closed_at_last(const char **text, size_t *length, void *context) {
  struct feed *feed = context;
  if (feed->given == feed->last) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, close_index, feed) == 0);
    pthread_join(thread, NULL);
    EXPECT(LIME_ERROR_HANDLE, lime_index_count(feed->index, &(uint64_t){0}));
  }
  return give(feed, text, length);
}

/* A load whose index is closed meanwhile: LIME_ERROR_CLOSED, and the index is whole. */
static void closed_loads(const char *folder) {
  for (uint32_t threads = 1; threads <= 2; threads++) {
    for (int last = 0; last <= 60; last += 20) {
      lime_index *index;
      lime_receipt *receipt;
      struct feed feed = {NULL, NULL, 0, last, 0};
      OK(lime_index_open(folder, NULL, &feed.index));
      OK(lime_index_delete_all(feed.index, NULL));
      OK(lime_index_put_lines(feed.index, TEXT("{\"id\":\"before\"}"), NULL, NULL));
      lime_load_options options = LIME_LOAD_OPTIONS_INIT;
      options.threads = threads;
      options.memory_budget = 1 << 20;
      EXPECT(LIME_ERROR_CLOSED,
             lime_index_load(feed.index, &options, closed_at_last, NULL, &feed, &receipt));
      CHECK(receipt == NULL);
      EXPECT(LIME_ERROR_HANDLE, lime_index_close(feed.index));
      OK(lime_index_open(folder, NULL, &index));
      int there;
      OK(lime_index_contains(index, TEXT("before"), &there));
      CHECK(there && count_of(index) <= (uint64_t)line_count);
      check_whole(index);
      OK(lime_index_close(index));
    }
  }
}

/* Threads that put one item after the other until the index is closed. */
struct putter {
  lime_index *index;
  int number;
  int acknowledged;
  int ended;
};

static void *put_until_closed(void *context) {
  struct putter *putter = context;
  for (;;) {
    char line[100];
    snprintf(line, sizeof line, "{\"id\":\"%d/%d\"}", putter->number, putter->acknowledged);
    lime_status status = lime_index_put_lines(putter->index, line, LIME_TERMINATED, NULL, NULL);
    if (status != LIME_OK) {
      CHECK(status == LIME_ERROR_HANDLE || status == LIME_ERROR_CLOSED);
      return NULL;
    }
    putter->acknowledged++;
  }
}

/* A put whose index is closed meanwhile is in it if it says so, and is not if it gives CLOSED. */
static void closed_puts(const char *folder) {
  enum { THREADS = 8 };
  for (int round = 0; round < 20; round++) {
    lime_index *index;
    pthread_t threads[THREADS];
    struct putter putters[THREADS];
    OK(lime_index_open(folder, NULL, &index));
    OK(lime_index_delete_all(index, NULL));
    for (int i = 0; i < THREADS; i++) {
      putters[i] = (struct putter){index, i, 0, 0};
      CHECK(pthread_create(&threads[i], NULL, put_until_closed, &putters[i]) == 0);
    }
    usleep((useconds_t)(round * 500));
    OK(lime_index_close(index));
    uint64_t acknowledged = 0;
    for (int i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
      acknowledged += (uint64_t)putters[i].acknowledged;
    }
    OK(lime_index_open(folder, NULL, &index));
    CHECK(count_of(index) == acknowledged);
    OK(lime_index_close(index));
  }
}

/* Results, items and queries that another thread ends while they are used. */
static struct {
  lime_index *index;
  lime_query *query;
  lime_results *results;
  lime_item *item;
  pthread_barrier_t start;
} shared;

static void *use(void *context) {
  int *ended = context;
  pthread_barrier_wait(&shared.start);
  while (*ended < 4) {
    lime_results *results;
    lime_string *text;
    size_t count;
    *ended = 0;
    lime_status status = lime_index_search_query(shared.index, shared.query, 5, NULL, &results);
    if (status == LIME_OK) {
      OK(lime_results_free(results));
    } else {
      CHECK(status == LIME_ERROR_HANDLE && results == NULL);
      ++*ended;
    }
    status = lime_results_json(shared.results, 0, 5, LIME_JSON_ATTRIBUTES, LIME_UNIT_UTF8, &text);
    if (status == LIME_OK) {
      OK(lime_string_free(text));
    } else {
      CHECK(status == LIME_ERROR_HANDLE && text == NULL);
      ++*ended;
    }
    status = lime_results_count(shared.results, &count);
    CHECK(status == LIME_OK ? count == 5 : status == LIME_ERROR_HANDLE && count == 0);
    *ended += status != LIME_OK;
    status = lime_index_put_item(shared.index, shared.item, NULL);
    CHECK(status == LIME_OK || status == LIME_ERROR_HANDLE);
    *ended += status != LIME_OK;
  }
  return NULL;
}

static void closed_handles(void) {
  enum { THREADS = 8 };
  for (int round = 0; round < 20; round++) {
    pthread_t threads[THREADS];
    int ended[THREADS] = {0};
    OK(lime_index_open_memory(NULL, &shared.index));
    OK(lime_index_put_lines(shared.index, lines, 100 * line_size, NULL, NULL));
    OK(lime_query_prefix(TEXT("le"), NULL, 0, &shared.query));
    OK(lime_index_search_query(shared.index, shared.query, 5, NULL, &shared.results));
    OK(lime_item_parse(TEXT("{\"id\":\"own\"}"), &shared.item));
    CHECK(pthread_barrier_init(&shared.start, NULL, THREADS + 1) == 0);
    for (int i = 0; i < THREADS; i++) {
      CHECK(pthread_create(&threads[i], NULL, use, &ended[i]) == 0);
    }
    pthread_barrier_wait(&shared.start);
    usleep((useconds_t)(round * 100));
    OK(lime_query_free(shared.query));
    OK(lime_item_free(shared.item));
    OK(lime_results_free(shared.results));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    OK(lime_index_close(shared.index));
    pthread_barrier_destroy(&shared.start);
  }
}

/* ending INDEX [ITEMS]: fewer items for runs that are slow. */
int main(int argc, char **argv) {
  CHECK(argc == 2 || argc == 3);
  if (argc == 3) line_count = atoi(argv[2]);
  make_lines();
  loads(argv[1]);
  works(argv[1]);
  closed_loads(argv[1]);
  closed_puts(argv[1]);
  closed_handles();
  free(lines);
  return 0;
}
