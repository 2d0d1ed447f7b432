/* Whole indexes: looking up, looking after, folders, loads, damage. */
#include <dirent.h>
#include <unistd.h>

#include "check.h"

static lime_index *memory_index(void) {
  lime_index *index;
  OK(lime_index_open_memory(NULL, &index));
  return index;
}

static void lookups(void) {
  lime_index *index = memory_index();
  lime_strings *ids;
  lime_stats *stats;
  lime_string *report;
  lime_item *item;
  const char *text;
  size_t count, length;
  uint64_t number;
  int flag;
  lime_analyzer analyzer;
  static const char *const both[] = {"1", "missing"};
  static const size_t lengths[] = {1, 7};
  OK(lime_index_declare(index, TEXT("level"), LIME_KIND_NUMBER, LIME_CLASS_USUAL));
  OK(lime_index_declare(index, TEXT("level"), LIME_KIND_NUMBER, LIME_CLASS_FILTER));
  EXPECT(LIME_ERROR_ITEM, lime_index_declare(index, TEXT("level"), LIME_KIND_TEXT, LIME_CLASS_NAMED));
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_declare(index, TEXT("x"), (lime_kind)99, LIME_CLASS_USUAL));
  OK(lime_index_put_lines(index,
                          TEXT("{\"id\":\"1\",\"domain\":\"a\",\"attributes\":{\"level\":1}}\n"
                               "{\"id\":\"2\",\"domain\":\"a.b\"}\n{\"id\":\"3\",\"domain\":\"c\"}\n"),
                          NULL, NULL));
  OK(lime_index_path(index, &text, &length));
  CHECK(text == NULL);
  OK(lime_index_analyzer(index, &analyzer));
  CHECK(analyzer == LIME_ANALYZER_WORDS);
  OK(lime_index_stores_items(index, &flag));
  CHECK(flag == 1);
  OK(lime_index_contains(index, TEXT("2"), &flag));
  CHECK(flag == 1);
  OK(lime_index_contains(index, TEXT("9"), &flag));
  CHECK(flag == 0);
  EXPECT(LIME_ERROR_NOT_FOUND, lime_index_get(index, TEXT("9"), &item));
  CHECK(item == NULL);
  OK(lime_index_count(index, &number));
  CHECK(number == 3);
  OK(lime_index_ids(index, NULL, 0, TEXT("1"), 1, &ids));
  OK(lime_strings_get(ids, 0, &text, &length));
  SAME("2", text, length);
  OK(lime_strings_count(ids, &count));
  CHECK(count == 1);
  OK(lime_strings_free(ids));
  OK(lime_index_ids(index, TEXT("a"), NULL, 0, (size_t)-1, &ids));
  OK(lime_strings_count(ids, &count));
  CHECK(count == 2);
  OK(lime_strings_free(ids));

  OK(lime_index_stats(index, &stats));
  static const uint64_t expected[] = {3, 0, 0, 0, 0, 3, 1, 0, 1};
  for (int part = LIME_STATS_ITEMS; part <= LIME_STATS_VALUES; part++) {
    OK(lime_stats_number(stats, (lime_stats_part)part, &number));
    CHECK(part == LIME_STATS_GENERATION || part == LIME_STATS_SEGMENTS || part == LIME_STATS_BYTES
              ? number > 0
              : number == expected[part]);
  }
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_stats_number(stats, (lime_stats_part)99, &number));
  OK(lime_stats_json(stats, &text, &length));
  CHECK(strstr(text, "\"items\":3") != NULL && strstr(text, "{\"domain\":\"a.b\",\"items\":1}"));
  OK(lime_stats_free(stats));
  OK(lime_index_commit(index));
  OK(lime_index_merge(index, 1, NULL));
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_merge(index, 0, NULL));
  lime_work_options form = LIME_WORK_OPTIONS_INIT;
  form.flags = LIME_MERGE_COMPACT;
  OK(lime_index_merge(index, 1, &form));
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_merge(index, 2, &form));
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_index_verify(index, &form, &count, &report));
  form.flags = LIME_MERGE_COMPACT | LIME_MERGE_REORDER;
  OK(lime_index_merge(index, 1, &form));
  form.flags = LIME_MERGE_REORDER;
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_merge(index, 2, &form));
  OK(lime_index_ids(index, NULL, 0, TEXT("1"), 1, &ids));
  OK(lime_strings_get(ids, 0, &text, &length));
  SAME("2", text, length);
  OK(lime_strings_free(ids));
  form.flags = 0x80;
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_index_merge(index, 1, &form));
  OK(lime_index_verify(index, NULL, &count, &report));
  CHECK(count == 0);
  OK(lime_string_data(report, &text, &length));
  SAME("[]", text, length);
  OK(lime_string_free(report));

  lime_receipt *receipt;
  OK(lime_index_delete(index, both, lengths, 2, &receipt));
  OK(lime_receipt_number(receipt, LIME_RECEIPT_DELETED, &number));
  CHECK(number == 1);
  OK(lime_receipt_number(receipt, LIME_RECEIPT_GENERATION, &number));
  OK(lime_receipt_free(receipt));
  OK(lime_index_wait(index, number, 0, NULL));
  EXPECT(LIME_ERROR_TIMED_OUT, lime_index_wait(index, number + 1, 0, NULL));
  EXPECT(LIME_ERROR_TIMED_OUT, lime_index_wait(index, UINT64_MAX, 20, NULL));
  lime_work_options work = LIME_WORK_OPTIONS_INIT;
  OK(lime_cancellation_new(&work.cancellation));
  OK(lime_index_wait(index, number, 0, &work));
  OK(lime_cancellation_cancel(work.cancellation));
  EXPECT(LIME_ERROR_CANCELLED, lime_index_wait(index, UINT64_MAX, UINT32_MAX, &work));
  OK(lime_cancellation_free(work.cancellation));
  OK(lime_index_delete(index, both, NULL, 2, NULL));
  OK(lime_index_delete_domain(index, TEXT("a"), NULL));
  OK(lime_index_count(index, &number));
  CHECK(number == 1);
  OK(lime_index_delete_all(index, NULL));
  OK(lime_index_count(index, &number));
  CHECK(number == 0);
  OK(lime_index_close(index));
}

static size_t threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  size_t count = 0;
  CHECK(tasks != NULL);
  while (readdir(tasks) != NULL) count++;
  closedir(tasks);
  return count;
}

static int is_durable(lime_receipt *receipt) {
  uint64_t number;
  OK(lime_receipt_number(receipt, LIME_RECEIPT_DURABLE, &number));
  OK(lime_receipt_free(receipt));
  return (int)number;
}

/* Changes that wait for the disk, and such that do not. */
static void levels(const char *folder) {
  lime_index *index, *reader;
  lime_receipt *receipt;
  lime_item *item;
  lime_batch *batch;
  lime_query *query;
  const char *text;
  size_t length;
  uint64_t number, last;
  static const char *const ids[] = {"1"};
  lime_open_options options = LIME_OPEN_OPTIONS_INIT;
  size_t before = threads();
  options.flags = LIME_OPEN_JOURNALED | LIME_OPEN_RELAXED;
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_open(folder, &options, &index));
  options.flags = LIME_OPEN_RELAXED;
  OK(lime_index_open(folder, &options, &index));
  OK(lime_item_parse(TEXT("{\"id\":\"1\",\"domain\":\"a\"}"), &item));
  OK(lime_batch_new(&batch));
  OK(lime_batch_add(batch, item));
  OK(lime_query_domain(TEXT("b"), &query));

  /* The level of the index, and the three of a call. */
  OK(lime_index_put(index, batch, &receipt));
  CHECK(!is_durable(receipt));
  OK(lime_index_durable_generation(index, &number));
  CHECK(number <= 1);
  OK(lime_index_flush(index, &number));
  CHECK(number == 1);
  OK(lime_index_flush(index, NULL));
  OK(lime_index_put_at(index, batch, LIME_DURABILITY_RELAXED, &receipt));
  OK(lime_receipt_json(receipt, &text, &length));
  CHECK(strstr(text, "{\"generation\":2,\"durable\":false,") == text);
  CHECK(!is_durable(receipt));
  OK(lime_index_put_item_at(index, item, LIME_DURABILITY_FULL, &receipt));
  CHECK(is_durable(receipt));
  OK(lime_index_durable_generation(index, &number));
  CHECK(number == 3);
  OK(lime_index_put_lines_at(index, TEXT("{\"id\":\"2\",\"domain\":\"b\"}"), NULL,
                             LIME_DURABILITY_USUAL, &receipt));
  CHECK(!is_durable(receipt));
  OK(lime_index_delete_at(index, ids, NULL, 1, LIME_DURABILITY_RELAXED, &receipt));
  CHECK(!is_durable(receipt));
  OK(lime_index_delete_domain_at(index, TEXT("a"), LIME_DURABILITY_FULL, &receipt));
  CHECK(is_durable(receipt));
  OK(lime_index_delete_query_at(index, query, NULL, LIME_DURABILITY_RELAXED, &receipt));
  CHECK(!is_durable(receipt));
  OK(lime_index_delete_all_at(index, LIME_DURABILITY_FULL, &receipt));
  CHECK(is_durable(receipt));
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_put_at(index, batch, (lime_durability)9, NULL));
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_delete_all_at(index, (lime_durability)-1, NULL));

  /* One that is synced by itself within a second: here the machine may be busy. */
  OK(lime_index_put_item_at(index, item, LIME_DURABILITY_JOURNALED, &receipt));
  OK(lime_receipt_number(receipt, LIME_RECEIPT_GENERATION, &last));
  CHECK(!is_durable(receipt));
  CHECK(threads() > before + 1);
  for (int waited = 0; waited < 5000; waited += 10) {
    OK(lime_index_durable_generation(index, &number));
    if (number >= last) break;
    usleep(10000);
  }
  CHECK(number >= last);

  options.flags = LIME_OPEN_READ_ONLY;
  OK(lime_index_open(folder, &options, &reader));
  OK(lime_index_put_lines_at(index, TEXT("{\"id\":\"3\"}"), NULL, LIME_DURABILITY_RELAXED, NULL));
  OK(lime_index_count(reader, &number));
  CHECK(number == 2);
  EXPECT(LIME_ERROR_READ_ONLY, lime_index_flush(reader, &number));
  EXPECT(LIME_ERROR_READ_ONLY, lime_index_durable_generation(reader, &number));
  OK(lime_index_close(reader));
  OK(lime_query_free(query));
  OK(lime_batch_free(batch));
  OK(lime_item_free(item));
  OK(lime_index_close(index));
  CHECK(threads() == before);
}

static int stop(uint64_t read, uint64_t put, uint64_t refused, uint64_t bytes, double seconds,
                void *context) {
  (void)read, (void)put, (void)refused, (void)bytes, (void)seconds;
  ++*(int *)context;
  return 0;
}

/* Gives a text in pieces of one byte. */
static int drip(const char **text, size_t *length, void *context) {
  const char **rest = context;
  *text = *rest;
  *length = **rest != 0;
  *rest += *length;
  return 0;
}

static void folders(const char *folder) {
  lime_index *index, *reader, *second;
  lime_receipt *receipt;
  uint64_t number;
  size_t problems;
  const char *text;
  size_t length;
  int calls = 0;
  lime_open_options options = LIME_OPEN_OPTIONS_INIT;
  options.flags = LIME_OPEN_READ_ONLY;
  EXPECT(LIME_ERROR_NOT_FOUND, lime_index_open(folder, &options, &reader));
  CHECK(reader == NULL);
  options.flags = LIME_OPEN_WITHOUT_ITEMS;
  options.analyzer = LIME_ANALYZER_RUNS;
  OK(lime_index_open(folder, &options, &index));
  OK(lime_index_path(index, &text, &length));
  SAME(folder, text, length);
  EXPECT(LIME_ERROR_LOCKED, lime_index_open(folder, NULL, &second));
  CHECK(strstr(lime_last_error_json(), "\"status\":-1000,\"name\":\"LIME_ERROR_LOCKED\"") != NULL);

  lime_load_options load = LIME_LOAD_OPTIONS_INIT;
  load.threads = 2;
  OK(lime_index_load_lines(index, TEXT("{\"id\":\"1\",\"attributes\":{\"title\":\"lime\"}}\nno\n"),
                           &load, stop, &calls, &receipt));
  CHECK(calls > 0);
  OK(lime_receipt_number(receipt, LIME_RECEIPT_READ, &number));
  CHECK(number == 2);
  OK(lime_receipt_number(receipt, LIME_RECEIPT_BYTES, &number));
  CHECK(number > 20);
  OK(lime_receipt_number(receipt, LIME_RECEIPT_MICROSECONDS, &number));
  OK(lime_receipt_refusal(receipt, 0, NULL, &number));
  CHECK(number == 2);
  OK(lime_receipt_free(receipt));
  EXPECT(LIME_ERROR_ITEM, lime_index_load_lines(index, TEXT("no"), NULL, NULL, NULL, NULL));

  /* A load tells its number, the ids that it made, and the ids of lines that are no items. */
  uint64_t generation = 0;
  lime_lines_options form = LIME_LINES_OPTIONS_INIT;
  form.first_line = 11;
  load.lines = &form;
  for (load.threads = 1; load.threads <= 2; load.threads++) {
    OK(lime_index_load_lines(index, TEXT("{}\n\n{\"id\":\"bad\",\"x\":1}\n{\"id\":null}"), &load,
                             NULL, NULL, &receipt));
    OK(lime_receipt_number(receipt, LIME_RECEIPT_GENERATION, &number));
    CHECK(number > generation);
    generation = number;
    OK(lime_receipt_number(receipt, LIME_RECEIPT_MADE, &number));
    CHECK(number == 2);
    for (size_t i = 0; i < 2; i++) {
      size_t position;
      int there;
      OK(lime_receipt_made(receipt, i, &position, &text, &length));
      CHECK(position == i * 3 && length == 36);
      OK(lime_index_contains(index, text, length, &there));
      CHECK(there == 1);
      OK(lime_index_delete(index, &text, &length, 1, NULL));
    }
    size_t position;
    OK(lime_receipt_refusal(receipt, 0, &position, &number));
    CHECK(position == 2 && number == 13);
    OK(lime_receipt_refusal_text(receipt, 0, LIME_REFUSAL_ID, &text, &length));
    SAME("bad", text, length);
    OK(lime_receipt_free(receipt));
  }
  const char *rest = "{\"id\":\"2\"}\n\n{\"id\":\"3\"}";
  OK(lime_index_load(index, NULL, drip, NULL, &rest, NULL));
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_load(index, NULL, NULL, NULL, NULL, NULL));

  options.flags = LIME_OPEN_READ_ONLY;
  OK(lime_index_open(folder, &options, &reader));
  OK(lime_index_count(reader, &number));
  CHECK(number == 3);
  EXPECT(LIME_ERROR_READ_ONLY, lime_index_delete_all(reader, &receipt));
  CHECK(receipt == NULL);
  lime_results *results;
  lime_item *item;
  OK(lime_index_search(reader, TEXT("lime"), 1, NULL, &results));
  EXPECT(LIME_ERROR_NOT_STORED, lime_results_item(results, 0, &item));
  OK(lime_results_free(results));
  OK(lime_index_close(reader));
  OK(lime_index_close(index));
  OK(lime_verify(folder, NULL, &problems, NULL));
  CHECK(problems == 0);
  EXPECT(LIME_ERROR_NOT_FOUND, lime_verify("/nonexistent/index", NULL, &problems, NULL));
}

/* A flipped bit is found, and the report says where. */
static void damage(const char *folder) {
  char path[4096];
  size_t problems, length;
  lime_string *report;
  const char *text;
  struct dirent *entry;
  DIR *list = opendir(folder);
  CHECK(list != NULL);
  while ((entry = readdir(list)) != NULL && strncmp(entry->d_name, "segment.", 8) != 0) {
  }
  CHECK(entry != NULL);
  snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
  FILE *file = fopen(path, "r+b");
  CHECK(file != NULL && fseek(file, 100, SEEK_SET) == 0);
  int byte = fgetc(file);
  CHECK(byte != EOF && fseek(file, 100, SEEK_SET) == 0 && fputc(byte ^ 1, file) != EOF);
  CHECK(fclose(file) == 0);
  OK(lime_verify(folder, NULL, &problems, &report));
  CHECK(problems > 0);
  OK(lime_string_data(report, &text, &length));
  CHECK(strstr(text, entry->d_name) != NULL && strstr(text, "\"status\":-3007") != NULL);
  OK(lime_string_free(report));
  closedir(list);
}

/* Damaged segments stay out on request; files that are read need no map. */
static void skipping(const char *folder) {
  lime_open_options options = LIME_OPEN_OPTIONS_INIT;
  lime_index *index;
  lime_string *report;
  const char *text;
  size_t skipped, length;
  uint64_t count;
  options.flags = LIME_OPEN_SKIP_DAMAGED;
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_open(folder, &options, &index));
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_open_memory(&options, &index));
  options.flags |= LIME_OPEN_READ_ONLY | LIME_OPEN_READ_FILES;
  OK(lime_index_open(folder, &options, &index));
  OK(lime_index_skipped(index, &skipped, &report));
  CHECK(skipped == 1);
  OK(lime_string_data(report, &text, &length));
  CHECK(strstr(text, "\"file\":\"segment.") != NULL && strstr(text, "-3007") != NULL);
  OK(lime_string_free(report));
  OK(lime_index_count(index, &count));
  CHECK(count < 3);
  OK(lime_index_close(index));
}

/* What verify finds, a repair mends; the old files stay beside. */
static void repair(const char *folder) {
  lime_repair_options options = LIME_REPAIR_OPTIONS_INIT;
  size_t problems, length;
  lime_string *report;
  const char *text;
  char beside[4096];
  options.flags = LIME_REPAIR_DRY_RUN;
  OK(lime_repair(folder, &options, &problems, &report));
  CHECK(problems > 0);
  OK(lime_string_data(report, &text, &length));
  CHECK(strstr(text, "\"path\":null") != NULL && strstr(text, "\"problems\":[{") != NULL);
  OK(lime_string_free(report));
  OK(lime_verify(folder, NULL, &problems, NULL));
  CHECK(problems > 0);

  options.flags = 0x80;
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_repair(folder, &options, &problems, NULL));
  options.flags = 0;
  options.output = "";
  EXPECT(LIME_ERROR_ARGUMENT, lime_repair(folder, &options, &problems, NULL));
  options.output = NULL;
  OK(lime_cancellation_new(&options.cancellation));
  OK(lime_cancellation_cancel(options.cancellation));
  EXPECT(LIME_ERROR_CANCELLED, lime_repair(folder, &options, &problems, &report));
  CHECK(report == NULL && problems == 0);
  OK(lime_cancellation_free(options.cancellation));
  EXPECT(LIME_ERROR_NOT_FOUND, lime_repair("/nonexistent/index", NULL, &problems, NULL));

  OK(lime_repair(folder, NULL, &problems, &report));
  CHECK(problems > 0);
  OK(lime_string_data(report, &text, &length));
  snprintf(beside, sizeof beside, "\"original\":\"%s.before-repair\"", folder);
  CHECK(strstr(text, beside) != NULL && strstr(text, "\"lost\":[]") != NULL);
  OK(lime_string_free(report));
  OK(lime_verify(folder, NULL, &problems, NULL));
  CHECK(problems == 0);
  snprintf(beside, sizeof beside, "%s.before-repair", folder);
  OK(lime_verify(beside, NULL, &problems, NULL));
  CHECK(problems > 0);
  lime_index *index;
  uint64_t count;
  OK(lime_index_open(folder, NULL, &index));
  OK(lime_index_count(index, &count));
  CHECK(count == 3);
  EXPECT(LIME_ERROR_LOCKED, lime_repair(folder, NULL, &problems, NULL));
  OK(lime_index_close(index));
  OK(lime_repair(folder, NULL, &problems, NULL));
  CHECK(problems == 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  lookups();
  folders(argv[1]);
  damage(argv[1]);
  skipping(argv[1]);
  repair(argv[1]);
  char inner[4096];
  CHECK(snprintf(inner, sizeof inner, "%s/levels", argv[1]) < (int)sizeof inner);
  levels(inner);
  return 0;
}
