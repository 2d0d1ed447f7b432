/* Makes an index, puts items in two ways, searches as a person types and as a program asks.
 *
 *     cc index_and_search.c $(pkg-config --cflags --libs limelight) && ./a.out [FOLDER]
 */
#include <limelight.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT(literal) (literal), sizeof(literal) - 1

/* Ends the program when a call has failed. */
static void check(lime_status status, const char *what) {
  if (status == LIME_OK) return;
  fprintf(stderr, "%s: %s: %s\n", what, lime_status_name(status), lime_last_error());
  exit(1);
}

/* Lines of JSON are the shortest way to put many items. */
static void put_lines(lime_index *index) {
  static const char lines[] =
      "{\"id\":\"1\",\"domain\":\"notes.kitchen\",\"attributes\":{\"title\":\"Café notes\","
      "\"textContent\":\"Grind the beans just before brewing.\",\"keywords\":[\"coffee\","
      "\"grinder\"],\"rating\":5}}\n"
      "{\"id\":\"2\",\"domain\":\"notes.work\",\"attributes\":{\"title\":\"Agenda\"}}\n"
      "{\"id\":\"3\",\"attributes\":{\"rating\":\"five\"}}\n";
  lime_receipt *receipt;
  uint64_t put, refused;

  check(lime_index_put_lines(index, TEXT(lines), NULL, &receipt), "put lines");
  check(lime_receipt_number(receipt, LIME_RECEIPT_PUT, &put), "receipt");
  check(lime_receipt_number(receipt, LIME_RECEIPT_REFUSED, &refused), "receipt");
  printf("put %d items, refused %d\n", (int)put, (int)refused);
  for (size_t i = 0; i < refused; i++) {
    const char *message;
    uint64_t line;
    check(lime_receipt_refusal(receipt, i, NULL, &line), "refusal");
    check(lime_receipt_refusal_text(receipt, i, LIME_REFUSAL_MESSAGE, &message, NULL), "refusal");
    printf("line %d: %s\n", (int)line, message);
  }
  check(lime_receipt_free(receipt), "free receipt");
}

/* Items can also be built call by call. */
static void put_batch(lime_index *index) {
  lime_batch *batch;
  lime_item *item;

  check(lime_batch_new(&batch), "batch");
  check(lime_item_new(&item), "item");
  check(lime_item_set_id(item, TEXT("4")), "id");
  check(lime_item_set_domain(item, TEXT("notes.kitchen")), "domain");
  check(lime_item_set_text(item, TEXT("title"), TEXT("French press")), "title");
  check(lime_item_add_text(item, TEXT("keywords"), TEXT("coffee")), "keywords");
  check(lime_item_add_text(item, TEXT("keywords"), TEXT("kitchen")), "keywords");
  check(lime_item_set_number(item, TEXT("rating"), 4), "rating");
  check(lime_item_set_date(item, TEXT("contentCreationDate"), INT64_C(1760000000000000)), "date");
  check(lime_batch_add(batch, item), "add");
  check(lime_index_put(index, batch, NULL), "put");
  check(lime_item_free(item), "free item");
  check(lime_batch_free(batch), "free batch");
}

/* Hits lend their texts until the results are freed. */
static void show(lime_results *results) {
  size_t count;
  uint64_t total;

  check(lime_results_count(results, &count), "count");
  check(lime_results_total(results, &total, NULL), "total");
  printf("%d of %d\n", (int)count, (int)total);
  for (size_t hit = 0; hit < count; hit++) {
    const char *id, *attributes;
    float score;
    lime_highlights *highlights;
    size_t texts;

    check(lime_results_id(results, hit, &id, NULL), "id");
    check(lime_results_score(results, hit, &score), "score");
    check(lime_results_attributes(results, hit, &attributes, NULL), "attributes");
    printf("  %s  %.2f  %s\n", id, score, attributes);

    check(lime_results_highlights(results, hit, LIME_UNIT_UTF8, &highlights), "highlights");
    check(lime_highlights_count(highlights, &texts), "highlights");
    for (size_t i = 0; i < texts; i++) {
      const char *attribute;
      size_t number, ranges;
      const uint64_t *range;
      check(lime_highlights_get(highlights, i, &attribute, NULL, &number, &range, &ranges), "text");
      for (size_t r = 0; r < ranges; r++) {
        printf("      %s %d: bytes %d to %d\n", attribute, (int)number, (int)range[2 * r],
               (int)range[2 * r + 1]);
      }
    }
    check(lime_highlights_free(highlights), "free highlights");
  }
}

int main(int argc, char **argv) {
  lime_index *index;
  lime_results *results;
  lime_query *coffee, *rated, *both;
  lime_query *parts[2];
  lime_item *item;
  const char *title;

  if (argc > 1) {
    check(lime_index_open(argv[1], NULL, &index), "open");
  } else {
    check(lime_index_open_memory(NULL, &index), "open");
  }
  put_lines(index);
  put_batch(index);

  /* What a person types: any text is a search, the last word may be unfinished. */
  check(lime_index_search(index, TEXT("cafe gri"), 10, NULL, &results), "search");
  show(results);
  check(lime_results_free(results), "free results");

  /* What a program asks: a tree of queries, within a domain. */
  lime_search_options options = LIME_SEARCH_OPTIONS_INIT;
  options.domain = "notes";
  options.domain_length = LIME_TERMINATED;
  check(lime_query_term(TEXT("coffee"), NULL, 0, &coffee), "term");
  check(lime_query_numbers(TEXT("rating"), 4, 0, LIME_RANGE_NO_UPPER, &rated), "range");
  parts[0] = coffee;
  parts[1] = rated;
  check(lime_query_all(parts, 2, &both), "all");
  check(lime_index_search_query(index, both, 10, &options, &results), "search");
  show(results);
  check(lime_results_free(results), "free results");
  check(lime_query_free(coffee), "free query");
  check(lime_query_free(rated), "free query");
  check(lime_query_free(both), "free query");

  check(lime_index_get(index, TEXT("4"), &item), "get");
  check(lime_item_text(item, TEXT("title"), 0, &title, NULL), "title");
  printf("item 4: %s\n", title);
  check(lime_item_free(item), "free item");

  check(lime_index_delete_domain(index, TEXT("notes.kitchen"), NULL), "delete");
  uint64_t left;
  check(lime_index_count(index, &left), "count");
  printf("%d item left\n", (int)left);
  check(lime_index_close(index), "close");
  return 0;
}
