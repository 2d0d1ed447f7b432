/* Handles, pointers and texts that are none: each is an error code, none a crash. */
#include "check.h"

#define BAD(call) EXPECT(LIME_ERROR_HANDLE, call)
#define NOT(call) EXPECT(LIME_ERROR_ARGUMENT, call)

/* NULL wherever a pointer can be. */
static void nulls(void) {
  NOT(lime_index_open(NULL, NULL, NULL));
  lime_index *index;
  NOT(lime_index_open(NULL, NULL, &index));
  NOT(lime_index_open("", NULL, &index));
  NOT(lime_index_open_memory(NULL, NULL));
  BAD(lime_index_close(NULL));
  BAD(lime_index_path(NULL, &(const char *){0}, NULL));
  NOT(lime_index_path(NULL, NULL, NULL));
  NOT(lime_index_analyzer(NULL, NULL));
  BAD(lime_index_analyzer(NULL, &(lime_analyzer){LIME_ANALYZER_RUNS}));
  NOT(lime_index_stores_items(NULL, NULL));
  NOT(lime_item_new(NULL));
  NOT(lime_item_parse(NULL, 0, NULL));
  EXPECT(LIME_ERROR_ITEM, lime_item_parse(NULL, 0, &(lime_item *){0}));
  BAD(lime_item_free(NULL));
  BAD(lime_item_clear(NULL));
  BAD(lime_item_set_id(NULL, NULL, 0));
  BAD(lime_item_set_domain(NULL, NULL, 0));
  BAD(lime_item_set_content_type(NULL, NULL, 0));
  BAD(lime_item_set_expiration(NULL, 0));
  BAD(lime_item_set_thumbnail(NULL, NULL, 0));
  BAD(lime_item_set_text(NULL, NULL, 0, NULL, 0));
  BAD(lime_item_add_text(NULL, NULL, 0, NULL, 0));
  BAD(lime_item_add_localized(NULL, NULL, 0, NULL, 0, NULL, 0));
  BAD(lime_item_set_number(NULL, NULL, 0, 0));
  BAD(lime_item_set_bool(NULL, NULL, 0, 0));
  BAD(lime_item_set_date(NULL, NULL, 0, 0));
  BAD(lime_item_add_date(NULL, NULL, 0, 0));
  BAD(lime_item_set_data(NULL, NULL, 0, NULL, 0));
  BAD(lime_item_add_person(NULL, NULL, 0, NULL, 0));
  BAD(lime_item_add_handle(NULL, NULL, 0, NULL, 0));
  BAD(lime_item_add_entry(NULL, NULL, 0, NULL, 0, NULL, 0));
  BAD(lime_item_remove(NULL, NULL, 0));
  NOT(lime_item_id(NULL, NULL, NULL));
  NOT(lime_item_domain(NULL, NULL, NULL));
  NOT(lime_item_content_type(NULL, NULL, NULL));
  NOT(lime_item_expiration(NULL, NULL));
  NOT(lime_item_thumbnail(NULL, NULL, NULL));
  NOT(lime_item_count(NULL, NULL));
  NOT(lime_item_attribute(NULL, 0, NULL, NULL));
  BAD(lime_item_value(NULL, NULL, 0, NULL, NULL));
  NOT(lime_item_text(NULL, NULL, 0, 0, NULL, NULL));
  NOT(lime_item_label(NULL, NULL, 0, 0, NULL, NULL));
  NOT(lime_item_number(NULL, NULL, 0, NULL));
  NOT(lime_item_bool(NULL, NULL, 0, NULL));
  NOT(lime_item_date(NULL, NULL, 0, 0, NULL));
  NOT(lime_item_data(NULL, NULL, 0, NULL, NULL));
  NOT(lime_item_json(NULL, NULL, NULL));
  NOT(lime_item_json_without_thumbnail(NULL, NULL, NULL));
  NOT(lime_batch_new(NULL));
  BAD(lime_batch_free(NULL));
  BAD(lime_batch_add(NULL, NULL));
  NOT(lime_batch_count(NULL, NULL));
  BAD(lime_batch_clear(NULL));
  BAD(lime_index_put(NULL, NULL, NULL));
  BAD(lime_index_put_item(NULL, NULL, NULL));
  BAD(lime_index_put_lines(NULL, NULL, 0, NULL, NULL));
  BAD(lime_index_load(NULL, NULL, NULL, NULL, NULL, NULL));
  BAD(lime_index_load_lines(NULL, NULL, 0, NULL, NULL, NULL, NULL));
  BAD(lime_index_delete(NULL, NULL, NULL, 0, NULL));
  BAD(lime_index_delete_domain(NULL, NULL, 0, NULL));
  BAD(lime_index_delete_query(NULL, NULL, NULL, NULL));
  BAD(lime_index_delete_all(NULL, NULL));
  BAD(lime_index_delete_all_at(NULL, LIME_DURABILITY_FULL, NULL));
  BAD(lime_index_flush(NULL, NULL));
  NOT(lime_index_durable_generation(NULL, NULL));
  BAD(lime_index_declare(NULL, NULL, 0, LIME_KIND_TEXT, LIME_CLASS_USUAL));
  BAD(lime_index_commit(NULL));
  BAD(lime_index_merge(NULL, 1, NULL));
  BAD(lime_receipt_free(NULL));
  NOT(lime_receipt_number(NULL, LIME_RECEIPT_PUT, NULL));
  NOT(lime_receipt_made(NULL, 0, NULL, NULL, NULL));
  BAD(lime_receipt_refusal(NULL, 0, NULL, NULL));
  NOT(lime_receipt_refusal_text(NULL, 0, LIME_REFUSAL_ID, NULL, NULL));
  NOT(lime_receipt_json(NULL, NULL, NULL));
  BAD(lime_query_free(NULL));
  NOT(lime_query_term(NULL, 0, NULL, 0, NULL));
  NOT(lime_query_prefix(NULL, 0, NULL, 0, NULL));
  NOT(lime_query_phrase(NULL, 0, NULL, 0, NULL));
  NOT(lime_query_fuzzy(NULL, 0, 0, NULL, 0, NULL));
  NOT(lime_query_all(NULL, 0, NULL));
  NOT(lime_query_any(NULL, 0, NULL));
  NOT(lime_query_boolean(NULL, 0, NULL, 0, NULL, 0, NULL));
  NOT(lime_query_not(NULL, NULL));
  BAD(lime_query_not(NULL, &(lime_query *){0}));
  BAD(lime_query_all(&(lime_query *){0}, 1, &(lime_query *){0}));
  NOT(lime_query_any(NULL, 1, &(lime_query *){0}));
  NOT(lime_query_numbers(NULL, 0, 0, 0, 0, NULL));
  NOT(lime_query_numbers(NULL, 0, 0, 0, 0, &(lime_query *){0}));
  NOT(lime_query_dates(NULL, 0, 0, 0, 0, NULL));
  NOT(lime_query_texts(NULL, 0, NULL, 0, NULL, 0, 0, NULL));
  NOT(lime_query_bool(NULL, 0, 0, NULL));
  NOT(lime_query_has(NULL, 0, NULL));
  NOT(lime_query_domain(NULL, 0, NULL));
  NOT(lime_query_everything(NULL));
  NOT(lime_query_nothing(NULL));
  NOT(lime_index_query(NULL, NULL, 0, 0, NULL));
  NOT(lime_weights_new(NULL));
  BAD(lime_weights_free(NULL));
  BAD(lime_weights_set(NULL, NULL, 0, 0));
  BAD(lime_weights_clear(NULL));
  NOT(lime_cancellation_new(NULL));
  BAD(lime_cancellation_free(NULL));
  BAD(lime_cancellation_cancel(NULL));
  NOT(lime_cancellation_state(NULL, NULL));
  NOT(lime_index_search(NULL, NULL, 0, 0, NULL, NULL));
  NOT(lime_index_search_query(NULL, NULL, 0, NULL, NULL));
  NOT(lime_index_count_text(NULL, NULL, 0, NULL, NULL));
  NOT(lime_index_count_query(NULL, NULL, NULL, NULL));
  BAD(lime_results_free(NULL));
  NOT(lime_results_count(NULL, NULL));
  NOT(lime_results_total(NULL, NULL, NULL));
  NOT(lime_results_nanoseconds(NULL, NULL));
  NOT(lime_results_id(NULL, 0, NULL, NULL));
  NOT(lime_results_domain(NULL, 0, NULL, NULL));
  NOT(lime_results_score(NULL, 0, NULL));
  BAD(lime_results_scores(NULL, NULL, NULL));
  NOT(lime_results_ids(NULL, NULL));
  NOT(lime_results_item(NULL, 0, NULL));
  NOT(lime_results_attributes(NULL, 0, NULL, NULL));
  NOT(lime_results_highlights(NULL, 0, LIME_UNIT_UTF8, NULL));
  NOT(lime_results_json(NULL, 0, 0, 0, LIME_UNIT_UTF8, NULL));
  BAD(lime_highlights_free(NULL));
  NOT(lime_highlights_count(NULL, NULL));
  BAD(lime_highlights_get(NULL, 0, NULL, NULL, NULL, NULL, NULL));
  NOT(lime_index_get(NULL, NULL, 0, NULL));
  NOT(lime_index_contains(NULL, NULL, 0, NULL));
  NOT(lime_index_count(NULL, NULL));
  NOT(lime_index_ids(NULL, NULL, 0, NULL, 0, 0, NULL));
  NOT(lime_index_stats(NULL, NULL));
  BAD(lime_stats_free(NULL));
  NOT(lime_stats_number(NULL, LIME_STATS_ITEMS, NULL));
  NOT(lime_stats_json(NULL, NULL, NULL));
  NOT(lime_index_skipped(NULL, NULL, NULL));
  NOT(lime_index_verify(NULL, NULL, NULL, NULL));
  NOT(lime_verify(NULL, NULL, NULL, NULL));
  NOT(lime_repair(NULL, NULL, NULL, NULL));
  BAD(lime_string_free(NULL));
  NOT(lime_string_data(NULL, NULL, NULL));
  BAD(lime_strings_free(NULL));
  NOT(lime_strings_count(NULL, NULL));
  NOT(lime_strings_get(NULL, 0, NULL, NULL));
  BAD(lime_strings_data(NULL, NULL, NULL, NULL));
}

/* NULL wherever a pointer can be, beside handles that are good. */
static void nulls_beside_handles(void) {
  lime_index *index;
  lime_item *item;
  lime_batch *batch;
  lime_receipt *receipt;
  lime_query *query;
  lime_weights *weights;
  lime_results *results;
  lime_highlights *highlights;
  lime_strings *ids;
  lime_string *lines;
  size_t count;
  uint64_t number;
  int flag;
  OK(lime_index_open_memory(NULL, &index));
  OK(lime_item_parse(TEXT("{\"id\":\"1\",\"attributes\":{\"title\":\"lime\"}}"), &item));
  OK(lime_batch_new(&batch));
  OK(lime_query_term(TEXT("lime"), NULL, 0, &query));
  OK(lime_weights_new(&weights));

  OK(lime_item_set_domain(item, NULL, 0));
  OK(lime_item_set_domain(item, NULL, LIME_TERMINATED));
  OK(lime_item_set_content_type(item, NULL, 0));
  OK(lime_item_set_thumbnail(item, NULL, 0));
  NOT(lime_item_set_text(item, NULL, 0, NULL, 0));
  OK(lime_item_set_text(item, TEXT("comment"), NULL, 0));
  NOT(lime_item_set_text(item, TEXT("comment"), NULL, 1));
  NOT(lime_item_add_localized(item, NULL, 0, NULL, 0, NULL, 0));
  NOT(lime_item_set_data(item, NULL, 0, NULL, 0));
  NOT(lime_item_add_entry(item, NULL, 0, NULL, 0, NULL, 0));
  NOT(lime_item_id(item, NULL, &count));
  NOT(lime_item_thumbnail(item, NULL, NULL));
  OK(lime_item_value(item, TEXT("title"), NULL, NULL));
  NOT(lime_item_text(item, TEXT("title"), 0, NULL, NULL));
  BAD(lime_batch_add(batch, NULL));
  OK(lime_batch_add(batch, item));
  NOT(lime_batch_count(batch, NULL));

  BAD(lime_index_put(index, NULL, NULL));
  BAD(lime_index_put_item(index, NULL, NULL));
  OK(lime_index_put(index, batch, NULL));
  OK(lime_index_put_lines(index, NULL, 0, NULL, NULL));
  NOT(lime_index_put_lines(index, NULL, 1, NULL, NULL));
  lime_lines_options options = LIME_LINES_OPTIONS_INIT;
  options.map_count = 1;
  NOT(lime_index_put_lines(index, NULL, 0, &options, NULL));
  static const char *const pair[] = {"body", NULL};
  options.map = pair;
  NOT(lime_index_put_lines(index, NULL, 0, &options, NULL));
  NOT(lime_index_load(index, NULL, NULL, NULL, NULL, NULL));
  OK(lime_index_load_lines(index, NULL, 0, NULL, NULL, NULL, NULL));
  OK(lime_index_delete(index, NULL, NULL, 0, &receipt));
  NOT(lime_index_delete(index, NULL, NULL, 1, NULL));
  NOT(lime_index_delete(index, &(const char *){NULL}, NULL, 1, NULL));
  NOT(lime_index_delete_domain(index, NULL, 0, NULL));
  BAD(lime_index_delete_query(index, NULL, NULL, NULL));
  EXPECT(LIME_ERROR_ITEM, lime_index_declare(index, NULL, 0, LIME_KIND_TEXT, LIME_CLASS_USUAL));
  NOT(lime_receipt_number(receipt, LIME_RECEIPT_PUT, NULL));
  NOT(lime_receipt_refusal(receipt, 0, NULL, NULL));
  NOT(lime_receipt_json(receipt, NULL, NULL));

  NOT(lime_index_query(index, NULL, 0, 0, NULL));
  NOT(lime_index_search(index, NULL, 1, 1, NULL, &results));
  NOT(lime_index_search(index, TEXT("lime"), 1, NULL, NULL));
  OK(lime_index_search(index, NULL, 0, 1, NULL, &results));
  OK(lime_results_free(results));
  BAD(lime_index_search_query(index, NULL, 1, NULL, &results));
  BAD(lime_index_count_query(index, NULL, NULL, &number));
  NOT(lime_weights_set(weights, NULL, 0, 1));
  OK(lime_index_search_query(index, query, 1, NULL, &results));
  NOT(lime_results_count(results, NULL));
  NOT(lime_results_total(results, NULL, NULL));
  OK(lime_results_total(results, &number, NULL));
  NOT(lime_results_id(results, 0, NULL, NULL));
  NOT(lime_results_score(results, 0, NULL));
  NOT(lime_results_scores(results, NULL, NULL));
  NOT(lime_results_ids(results, NULL));
  NOT(lime_results_item(results, 0, NULL));
  NOT(lime_results_highlights(results, 0, LIME_UNIT_UTF8, NULL));
  NOT(lime_results_json(results, 0, 1, 0, LIME_UNIT_UTF8, NULL));
  OK(lime_results_highlights(results, 0, LIME_UNIT_UTF8, &highlights));
  NOT(lime_highlights_count(highlights, NULL));
  OK(lime_highlights_get(highlights, 0, NULL, NULL, NULL, NULL, NULL));

  NOT(lime_index_get(index, NULL, 0, NULL));
  EXPECT(LIME_ERROR_NOT_FOUND, lime_index_get(index, NULL, 0, &(lime_item *){0}));
  NOT(lime_index_contains(index, TEXT("1"), NULL));
  OK(lime_index_contains(index, NULL, 0, &flag));
  NOT(lime_index_ids(index, NULL, 0, NULL, 0, 1, NULL));
  OK(lime_index_ids(index, NULL, 0, NULL, 0, 1, &ids));
  NOT(lime_strings_get(ids, 0, NULL, NULL));
  NOT(lime_strings_data(ids, NULL, NULL, NULL));
  NOT(lime_index_stats(index, NULL));
  NOT(lime_index_skipped(index, NULL, NULL));
  OK(lime_index_skipped(index, &count, NULL));
  NOT(lime_index_verify(index, NULL, NULL, NULL));
  OK(lime_index_verify(index, NULL, &count, &lines));
  NOT(lime_string_data(lines, NULL, NULL));
  NOT(lime_verify("", NULL, NULL, NULL));
  NOT(lime_verify(NULL, NULL, &count, NULL));
  NOT(lime_repair("", NULL, NULL, NULL));
  NOT(lime_repair("", NULL, &count, NULL));
  NOT(lime_repair(NULL, NULL, &count, NULL));

  OK(lime_string_free(lines));
  OK(lime_strings_free(ids));
  OK(lime_highlights_free(highlights));
  OK(lime_results_free(results));
  OK(lime_receipt_free(receipt));
  OK(lime_weights_free(weights));
  OK(lime_query_free(query));
  OK(lime_batch_free(batch));
  OK(lime_item_free(item));
  OK(lime_index_close(index));
}

/* One function for each type of handle. */
static void refused_everywhere(void *handle) {
  size_t n;
  int flag;
  uint64_t number;
  const char *text;
  BAD(lime_index_count((lime_index *)handle, &number));
  BAD(lime_item_count((lime_item *)handle, &n));
  BAD(lime_batch_count((lime_batch *)handle, &n));
  BAD(lime_receipt_number((lime_receipt *)handle, LIME_RECEIPT_PUT, &number));
  BAD(lime_query_not((lime_query *)handle, &(lime_query *){0}));
  BAD(lime_weights_clear((lime_weights *)handle));
  BAD(lime_cancellation_state((lime_cancellation *)handle, &flag));
  BAD(lime_results_count((lime_results *)handle, &n));
  BAD(lime_highlights_count((lime_highlights *)handle, &n));
  BAD(lime_stats_number((lime_stats *)handle, LIME_STATS_ITEMS, &number));
  BAD(lime_strings_count((lime_strings *)handle, &n));
  BAD(lime_string_data((lime_string *)handle, &text, &n));
  BAD(lime_index_close((lime_index *)handle));
  BAD(lime_query_free((lime_query *)handle));
}

/* Handles that are none: invented, of another type, closed, changed by a bit. */
static void handles(void) {
  lime_index *index;
  lime_item *item;
  lime_query *query;
  uint64_t count;
  int local;
  OK(lime_index_open_memory(NULL, &index));
  OK(lime_query_everything(&query));
  for (uintptr_t bits = 1; bits < 4096; bits++) refused_everywhere((void *)bits);
  for (int bit = 12; bit < 64; bit++) refused_everywhere((void *)((uintptr_t)1 << bit));
  refused_everywhere(&local);
  refused_everywhere((void *)UINTPTR_MAX);
  for (int bit = 0; bit < 64; bit++) {
    refused_everywhere((void *)((uintptr_t)index ^ (uintptr_t)1 << bit));
  }
  BAD(lime_item_count((lime_item *)index, &(size_t){0}));
  BAD(lime_query_free((lime_query *)index));
  BAD(lime_index_close((lime_index *)query));
  /* A slot that is used again gives another handle. */
  void *old[64];
  for (int i = 0; i < 64; i++) {
    OK(lime_item_new(&item));
    old[i] = item;
    OK(lime_item_free(item));
    for (int k = 0; k <= i; k++) BAD(lime_item_free((lime_item *)old[k]));
  }
  OK(lime_index_count(index, &count));
  OK(lime_index_close(index));
  refused_everywhere(index);
  OK(lime_query_free(query));
}

/* Texts that are none, or strange, or long. */
static void texts(void) {
  lime_index *index;
  lime_item *item, *read;
  lime_query *query, *next;
  lime_results *results;
  uint64_t count;
  size_t length;
  const char *text;
  static const char *const bad[] = {"\xff", "\xc0\x80", "\xed\xa0\x80", "a\xe2\x82", "\xf4\x90\x80\x80"};
  OK(lime_index_open_memory(NULL, &index));
  OK(lime_item_new(&item));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    EXPECT(LIME_ERROR_TEXT, lime_item_set_id(item, bad[i], LIME_TERMINATED));
    EXPECT(LIME_ERROR_TEXT, lime_item_set_text(item, bad[i], LIME_TERMINATED, TEXT("x")));
    EXPECT(LIME_ERROR_TEXT, lime_item_set_text(item, TEXT("title"), bad[i], LIME_TERMINATED));
    EXPECT(LIME_ERROR_TEXT, lime_index_search(index, bad[i], LIME_TERMINATED, 1, NULL, &results));
    EXPECT(LIME_ERROR_TEXT, lime_query_term(bad[i], LIME_TERMINATED, NULL, 0, &query));
    EXPECT(LIME_ERROR_TEXT, lime_index_get(index, bad[i], LIME_TERMINATED, &read));
    EXPECT(LIME_ERROR_TEXT, lime_index_open(bad[i], NULL, &(lime_index *){0}));
    EXPECT(LIME_ERROR_ITEM, lime_index_put_lines(index, bad[i], LIME_TERMINATED, NULL, NULL));
    EXPECT(LIME_ERROR_ITEM, lime_item_parse(bad[i], LIME_TERMINATED, &read));
  }
  /* A lone surrogate, as JSON can spell it. */
  EXPECT(LIME_ERROR_ITEM,
         lime_index_put_lines(index, TEXT("{\"attributes\":{\"title\":\"\\ud800\"}}"), NULL, NULL));
  NOT(lime_item_set_id(item, "x", (size_t)-2));
  NOT(lime_item_set_id(item, NULL, 5));
  NOT(lime_item_set_data(item, TEXT("thumbnailData"), "x", LIME_TERMINATED));
  NOT(lime_item_set_text(item, NULL, 0, TEXT("x")));

  /* NULs are characters like others. */
  OK(lime_item_set_id(item, TEXT("\0\0")));
  OK(lime_item_set_text(item, TEXT("title"), TEXT("lime\0tree")));
  OK(lime_index_put_item(index, item, NULL));
  OK(lime_index_count_text(index, TEXT("tree"), NULL, &count));
  CHECK(count == 1);
  OK(lime_index_search(index, TEXT("lime\0tree"), 5, NULL, &results));
  OK(lime_results_id(results, 0, &text, &length));
  CHECK(length == 2 && text[0] == 0 && text[1] == 0 && text[2] == 0);
  OK(lime_results_free(results));

  /* A long id is refused in the receipt. */
  char *large = malloc(1 << 20);
  CHECK(large != NULL);
  memset(large, 'x', 1 << 20);
  OK(lime_item_set_id(item, large, 1 << 20));
  EXPECT(LIME_ERROR_ITEM, lime_index_put_item(index, item, NULL));
  OK(lime_index_count_text(index, large, 1 << 20, NULL, &count));
  CHECK(count == 0);
  for (int i = 0; i < 1 << 20; i++) large[i] = i % 2 ? '"' : '-';
  OK(lime_index_count_text(index, large, 1 << 20, NULL, &count));
  memset(large, '[', 1 << 20);
  EXPECT(LIME_ERROR_ITEM, lime_index_put_lines(index, large, 1 << 20, NULL, NULL));
  free(large);

  /* Trees that are too deep, or too large although few made them. */
  OK(lime_query_everything(&query));
  int depth = 1;
  lime_status status;
  while ((status = lime_query_not(query, &next)) == LIME_OK) {
    OK(lime_query_free(query));
    query = next;
    depth++;
  }
  CHECK(status == LIME_ERROR_QUERY && depth == 100 && next == NULL);
  OK(lime_index_count_query(index, query, NULL, &count));
  OK(lime_query_free(query));
  OK(lime_query_term(TEXT("lime"), NULL, 0, &query));
  for (;;) {
    lime_query *twice[] = {query, query};
    status = lime_query_any(twice, 2, &next);
    if (status != LIME_OK) break;
    OK(lime_query_free(query));
    query = next;
  }
  CHECK(status == LIME_ERROR_QUERY);
  OK(lime_index_count_query(index, query, NULL, &count));
  CHECK(count == 1);
  OK(lime_query_free(query));
  OK(lime_item_free(item));
  OK(lime_index_close(index));
}

int main(void) {
  nulls();
  nulls_beside_handles();
  handles();
  texts();
  return 0;
}
