/* Queries, searches and results: every function, with what it promises. */
#include "check.h"

static lime_index *memory_index(void) {
  lime_index *index;
  OK(lime_index_open_memory(NULL, &index));
  return index;
}

static size_t found(lime_index *index, lime_query *query) {
  uint64_t count;
  OK(lime_index_count_query(index, query, NULL, &count));
  OK(lime_query_free(query));
  return (size_t)count;
}

static void queries(void) {
  lime_index *index = memory_index();
  lime_query *query, *left, *right;
  OK(lime_index_put_lines(
      index,
      TEXT("{\"id\":\"1\",\"domain\":\"a.b\",\"attributes\":{\"title\":\"green tea\",\"rating\":1,"
           "\"contentCreationDate\":\"1970-01-01T00:00:01Z\",\"allDay\":true,\"shelf\":\"low\"}}\n"
           "{\"id\":\"2\",\"domain\":\"a\",\"attributes\":{\"title\":\"black tea\",\"rating\":2}}\n"
           "{\"id\":\"3\",\"attributes\":{\"title\":\"coffee\",\"rating\":3,\"shelf\":\"top\"}}\n"),
      NULL, NULL));
  OK(lime_query_term(TEXT("T\xC3\x89" "A"), NULL, 0, &query));
  CHECK(found(index, query) == 2);
  OK(lime_query_term(TEXT("tea"), TEXT("textContent"), &query));
  CHECK(found(index, query) == 0);
  OK(lime_query_prefix(TEXT("cof"), TEXT("title"), &query));
  CHECK(found(index, query) == 1);
  OK(lime_query_phrase(TEXT("green tea"), NULL, 0, &query));
  CHECK(found(index, query) == 1);
  OK(lime_query_fuzzy(TEXT("cofee"), 1, NULL, 0, &query));
  CHECK(found(index, query) == 1);
  EXPECT(LIME_ERROR_ARGUMENT, lime_query_fuzzy(TEXT("x"), 3, NULL, 0, &query));
  CHECK(query == NULL);
  OK(lime_query_numbers(TEXT("rating"), 2, 3, 0, &query));
  CHECK(found(index, query) == 2);
  OK(lime_query_numbers(TEXT("rating"), 2, 3, LIME_RANGE_ABOVE, &query));
  CHECK(found(index, query) == 1);
  OK(lime_query_numbers(TEXT("rating"), 2, 3, LIME_RANGE_BELOW, &query));
  CHECK(found(index, query) == 1);
  OK(lime_query_numbers(TEXT("rating"), 2, 0, LIME_RANGE_NO_UPPER, &query));
  CHECK(found(index, query) == 2);
  OK(lime_query_numbers(TEXT("rating"), 9, 2, LIME_RANGE_NO_LOWER, &query));
  CHECK(found(index, query) == 2);
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_query_numbers(TEXT("rating"), 0, 1, 0x80, &query));
  OK(lime_query_dates(TEXT("contentCreationDate"), 0, 2000000, 0, &query));
  CHECK(found(index, query) == 1);
  OK(lime_query_texts(TEXT("shelf"), TEXT("m"), NULL, 0, LIME_RANGE_NO_UPPER, &query));
  CHECK(found(index, query) == 1);
  OK(lime_query_bool(TEXT("allDay"), 1, &query));
  CHECK(found(index, query) == 1);
  OK(lime_query_has(TEXT("rating"), &query));
  CHECK(found(index, query) == 3);
  OK(lime_query_domain(TEXT("a"), &query));
  CHECK(found(index, query) == 2);
  OK(lime_query_everything(&query));
  CHECK(found(index, query) == 3);
  OK(lime_query_nothing(&query));
  CHECK(found(index, query) == 0);

  /* Parts may go before the whole. */
  OK(lime_query_term(TEXT("tea"), NULL, 0, &left));
  OK(lime_query_term(TEXT("green"), NULL, 0, &right));
  lime_query *both[] = {left, right};
  lime_query *all, *any, *boolean, *negation;
  OK(lime_query_all(both, 2, &all));
  OK(lime_query_any(both, 2, &any));
  OK(lime_query_boolean(&left, 1, NULL, 0, &right, 1, &boolean));
  OK(lime_query_not(left, &negation));
  OK(lime_query_free(left));
  OK(lime_query_free(right));
  EXPECT(LIME_ERROR_HANDLE, lime_query_not(left, &query));
  CHECK(found(index, all) == 1);
  CHECK(found(index, any) == 2);
  CHECK(found(index, boolean) == 1);
  CHECK(found(index, negation) == 1);
  OK(lime_query_all(NULL, 0, &query));
  CHECK(found(index, query) == 3);

  /* What was typed, as a part of a tree. */
  OK(lime_index_query(index, TEXT("te"), 0, &query));
  CHECK(found(index, query) == 2);
  OK(lime_index_query(index, TEXT("te"), LIME_SEARCH_WHOLE_WORDS, &query));
  CHECK(found(index, query) == 0);

  lime_results *results;
  const char *id;
  OK(lime_query_phrase(TEXT("black tea"), TEXT("title"), &query));
  OK(lime_index_search_query(index, query, 10, NULL, &results));
  OK(lime_query_free(query));
  OK(lime_results_id(results, 0, &id, NULL));
  CHECK(strcmp(id, "2") == 0);
  OK(lime_results_free(results));

  OK(lime_query_domain(TEXT("a.b"), &query));
  OK(lime_index_delete_query(index, query, NULL, NULL));
  CHECK(found(index, query) == 0);
  OK(lime_index_close(index));
}

static void results(void) {
  lime_index *index = memory_index();
  lime_results *results;
  lime_highlights *highlights;
  lime_strings *ids;
  lime_string *lines;
  lime_item *item;
  lime_weights *weights;
  lime_cancellation *cancellation;
  const char *text, *again, *data;
  const uint64_t *ranges, *offsets;
  const float *scores;
  size_t length, count, number, range_count;
  uint64_t total;
  float score;
  int exact;
  OK(lime_index_put_lines(
      index,
      TEXT("{\"id\":\"1\",\"attributes\":{\"title\":\"\xF0\x9F\x8D\x8B lime\",\"keywords\":[\"a\",\"lime\"]}}\n"
           "{\"id\":\"2\",\"domain\":\"d\",\"attributes\":{\"textContent\":\"lime lime tree\"}}\n"),
      NULL, NULL));
  OK(lime_index_search(index, TEXT("lime"), 10, NULL, &results));
  /* The results keep what they need. */
  lime_index *other = index;
  OK(lime_index_close(other));
  OK(lime_results_count(results, &count));
  CHECK(count == 2);
  OK(lime_results_total(results, &total, &exact));
  CHECK(total == 2 && exact == 1);
  OK(lime_results_nanoseconds(results, &total));
  OK(lime_results_id(results, 0, &text, &length));
  SAME("1", text, length);
  OK(lime_results_id(results, 0, &again, NULL));
  CHECK(again == text);
  EXPECT(LIME_ERROR_ARGUMENT, lime_results_id(results, 2, &text, &length));
  EXPECT(LIME_ERROR_ARGUMENT, lime_results_id(results, (size_t)-1, &text, &length));
  OK(lime_results_domain(results, 0, &text, &length));
  CHECK(text == NULL);
  OK(lime_results_domain(results, 1, &text, &length));
  SAME("d", text, length);
  OK(lime_results_score(results, 1, &score));
  OK(lime_results_scores(results, &scores, &count));
  CHECK(count == 2 && scores[1] == score && scores[0] >= scores[1]);
  OK(lime_results_attributes(results, 1, &text, &length));
  SAME("{\"textContent\":\"lime lime tree\"}", text, length);
  OK(lime_results_item(results, 1, &item));
  OK(lime_item_text(item, TEXT("textContent"), 0, &text, &length));
  SAME("lime lime tree", text, length);
  OK(lime_item_free(item));

  static const uint64_t starts[] = {5, 3, 2}; /* behind a lemon: bytes, units, code points */
  for (int unit = LIME_UNIT_UTF8; unit <= LIME_UNIT_SCALARS; unit++) {
    OK(lime_results_highlights(results, 0, (lime_unit)unit, &highlights));
    OK(lime_highlights_count(highlights, &count));
    CHECK(count == 2);
    for (size_t i = 0; i < count; i++) {
      OK(lime_highlights_get(highlights, i, &text, &length, &number, &ranges, &range_count));
      CHECK(range_count == 1);
      if (strcmp(text, "title") == 0) {
        CHECK(number == 0 && ranges[0] == starts[unit] && ranges[1] == starts[unit] + 4);
      } else {
        SAME("keywords", text, length);
        CHECK(number == 1 && ranges[0] == 0 && ranges[1] == 4);
      }
    }
    EXPECT(LIME_ERROR_ARGUMENT, lime_highlights_get(highlights, 2, NULL, NULL, NULL, NULL, NULL));
    OK(lime_highlights_free(highlights));
  }
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_results_highlights(results, 0, (lime_unit)9, &highlights));

  OK(lime_results_ids(results, &ids));
  OK(lime_strings_count(ids, &count));
  CHECK(count == 2);
  OK(lime_strings_get(ids, 1, &text, &length));
  SAME("2", text, length);
  EXPECT(LIME_ERROR_ARGUMENT, lime_strings_get(ids, 2, &text, &length));
  OK(lime_strings_data(ids, &data, &offsets, &count));
  CHECK(count == 2 && offsets[0] == 0 && offsets[1] == 2 && offsets[2] == 4);
  CHECK(memcmp(data, "1\0002\0", 4) == 0);
  OK(lime_strings_free(ids));

  OK(lime_results_json(results, 0, (size_t)-1, LIME_JSON_ATTRIBUTES | LIME_JSON_HIGHLIGHTS,
                       LIME_UNIT_SCALARS, &lines));
  OK(lime_results_free(results));
  OK(lime_string_data(lines, &text, &length));
  CHECK(text[length - 1] == '\n' && text[length] == 0);
  CHECK(strstr(text, "\"keywords\":[[0,4,1]]") != NULL && strstr(text, "\"title\":[[2,6]]") != NULL);
  CHECK(strstr(text, "\"textContent\":[[0,4],[5,9]]") != NULL);
  OK(lime_string_free(lines));
  EXPECT(LIME_ERROR_HANDLE, lime_results_count(results, &count));

  /* Options: offset, domain, weights, cancellation. */
  index = memory_index();
  OK(lime_index_put_lines(index,
                          TEXT("{\"id\":\"1\",\"domain\":\"a\",\"attributes\":{\"title\":\"lime\"}}\n"
                               "{\"id\":\"2\",\"attributes\":{\"comment\":\"lime\"}}\n"),
                          NULL, NULL));
  lime_search_options options = LIME_SEARCH_OPTIONS_INIT;
  options.offset = 1;
  OK(lime_index_search(index, TEXT("lime"), 10, &options, &results));
  OK(lime_results_count(results, &count));
  CHECK(count == 1);
  OK(lime_results_free(results));
  options.offset = UINT64_MAX;
  OK(lime_index_search(index, TEXT("lime"), (size_t)-1, &options, &results));
  OK(lime_results_count(results, &count));
  CHECK(count == 0);
  OK(lime_results_free(results));
  options.offset = 0;
  options.domain = "a";
  options.domain_length = 1;
  OK(lime_index_count_text(index, TEXT("lime"), &options, &total));
  CHECK(total == 1);
  options.domain = "a..b";
  options.domain_length = 4;
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_count_text(index, TEXT("lime"), &options, &total));
  options.domain = NULL;
  options.domain_length = 0;
  OK(lime_weights_new(&weights));
  OK(lime_weights_clear(weights));
  OK(lime_weights_set(weights, TEXT("comment"), 5));
  EXPECT(LIME_ERROR_ARGUMENT, lime_weights_set(weights, TEXT("comment"), -1));
  options.weights = weights;
  OK(lime_index_search(index, TEXT("lime"), 1, &options, &results));
  OK(lime_results_id(results, 0, &text, &length));
  SAME("2", text, length);
  OK(lime_results_free(results));
  OK(lime_weights_free(weights));
  EXPECT(LIME_ERROR_HANDLE, lime_index_search(index, TEXT("lime"), 1, &options, &results));
  options.weights = NULL;
  OK(lime_cancellation_new(&cancellation));
  options.cancellation = cancellation;
  options.flags = LIME_SEARCH_TOTAL_AT_LEAST | LIME_SEARCH_WHOLE_WORDS;
  OK(lime_index_count_text(index, TEXT("lim"), &options, &total));
  CHECK(total == 0);
  OK(lime_cancellation_cancel(cancellation));
  OK(lime_cancellation_state(cancellation, &exact));
  CHECK(exact == 1);
  EXPECT(LIME_ERROR_CANCELLED, lime_index_count_text(index, TEXT("lime"), &options, &total));
  OK(lime_cancellation_free(cancellation));

  /* Structs of other ages. */
  memset(&options, 0, sizeof options);
  EXPECT(LIME_ERROR_ARGUMENT, lime_index_search(index, TEXT("lime"), 1, &options, &results));
  options.size = 8; /* an old host knew only the flags */
  OK(lime_index_search(index, TEXT("lime"), 1, &options, &results));
  OK(lime_results_free(results));
  struct {
    lime_search_options known;
    uint64_t later;
  } newer = {LIME_SEARCH_OPTIONS_INIT, 0};
  newer.known.size = sizeof newer;
  OK(lime_index_search(index, TEXT("lime"), 1, &newer.known, &results));
  OK(lime_results_free(results));
  newer.later = 1;
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_index_search(index, TEXT("lime"), 1, &newer.known, &results));
  newer.later = 0;
  newer.known.flags = 0x100;
  EXPECT(LIME_ERROR_UNSUPPORTED, lime_index_search(index, TEXT("lime"), 1, &newer.known, &results));
  OK(lime_index_close(index));
}

int main(void) {
  queries();
  results();
  return 0;
}
