/* Items, batches and receipts: every function, with what it promises. */
#include "check.h"

static lime_index *memory_index(void) {
  lime_index *index;
  OK(lime_index_open_memory(NULL, &index));
  return index;
}

static void versions(void) {
  CHECK(lime_version() == LIME_VERSION);
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", LIME_VERSION / 1000000, LIME_VERSION / 1000 % 1000,
           LIME_VERSION % 1000);
  CHECK(strcmp(lime_version_text(), version) == 0);
  CHECK(strstr(lime_capabilities(), "\"idBytes\":4096") != NULL);
  CHECK(strstr(lime_attributes(), "\"name\":\"title\"") != NULL);
  CHECK(strcmp(lime_status_name(LIME_ERROR_HANDLE), "LIME_ERROR_HANDLE") == 0);
  CHECK(strcmp(lime_status_name((lime_status)-77), "LIME_ERROR_UNKNOWN") == 0);
  CHECK(strcmp(lime_last_error(), "") == 0 && strcmp(lime_last_error_json(), "{}") == 0);
  /* The numbers are forever. */
  CHECK(LIME_ERROR_UNKNOWN == -1 && LIME_ERROR_LOCKED == -1000 && LIME_ERROR_ITEM == -1001);
  CHECK(LIME_ERROR_NO_SPACE == -1004 && LIME_ERROR_UNSUPPORTED == -1005);
  CHECK(LIME_ERROR_QUERY == -2002 && LIME_ERROR_CANCELLED == -2003);
  CHECK(LIME_ERROR_HANDLE == -3000 && LIME_ERROR_FORKED == -3014 && LIME_ERROR_LIMIT == -3015 &&
        LIME_ERROR_OLDER == -3016);
  CHECK(LIME_ERROR_TIMED_OUT == -3017);
}

static void values(void) {
  lime_index *index = memory_index();
  lime_item *item, *read, *parsed;
  const char *text, *line, *again;
  const void *data;
  size_t length, count, again_length;
  lime_kind kind;
  double number;
  int flag;
  int64_t date;

  OK(lime_item_new(&item));
  OK(lime_item_set_id(item, TEXT("i\0d")));
  OK(lime_item_set_domain(item, TEXT("a.b")));
  OK(lime_item_set_content_type(item, TEXT("public.text")));
  OK(lime_item_set_expiration(item, INT64_C(4000000000000000)));
  OK(lime_item_set_thumbnail(item, TEXT("\x89PNG")));
  OK(lime_item_set_text(item, TEXT("title"), "Tea", LIME_TERMINATED));
  OK(lime_item_add_text(item, TEXT("keywords"), TEXT("hot")));
  OK(lime_item_add_text(item, TEXT("keywords"), TEXT("green")));
  OK(lime_item_add_localized(item, TEXT("contentDescription"), TEXT("en"), TEXT("A drink")));
  OK(lime_item_add_localized(item, TEXT("contentDescription"), TEXT("de"), TEXT("Ein Getr\xC3\xA4nk")));
  OK(lime_item_set_number(item, TEXT("rating"), 4.5));
  OK(lime_item_set_bool(item, TEXT("allDay"), 7));
  OK(lime_item_set_date(item, TEXT("contentCreationDate"), 1500000));
  OK(lime_item_add_date(item, TEXT("importantDates"), 1));
  OK(lime_item_add_date(item, TEXT("importantDates"), 2));
  OK(lime_item_set_text(item, TEXT("contentURL"), TEXT("https://example.org/")));
  OK(lime_item_add_person(item, TEXT("authors"), TEXT("Ann")));
  OK(lime_item_add_handle(item, TEXT("authors"), TEXT("ann@example.org")));
  OK(lime_item_add_person(item, TEXT("authors"), TEXT("Bob")));
  OK(lime_item_set_number(item, TEXT("mine"), 1));
  OK(lime_item_remove(item, TEXT("mine")));
  EXPECT(LIME_ERROR_KIND, lime_item_add_text(item, TEXT("rating"), TEXT("x")));
  EXPECT(LIME_ERROR_KIND, lime_item_add_handle(item, TEXT("title"), TEXT("x")));
  OK(lime_index_put_item(index, item, NULL));

  OK(lime_index_get(index, TEXT("i\0d"), &read));
  OK(lime_item_id(read, &text, &length));
  CHECK(length == 3 && memcmp(text, "i\0d", 4) == 0);
  OK(lime_item_domain(read, &text, &length));
  SAME("a.b", text, length);
  OK(lime_item_content_type(read, &text, &length));
  SAME("public.text", text, length);
  OK(lime_item_expiration(read, &date));
  CHECK(date == INT64_C(4000000000000000));
  OK(lime_item_thumbnail(read, &data, &length));
  SAME("\x89PNG", (const char *)data, length);
  OK(lime_item_count(read, &count));
  CHECK(count == 9);
  for (size_t i = 0; i < count; i++) {
    OK(lime_item_attribute(read, i, &text, &length));
    CHECK(length == strlen(text));
    OK(lime_item_value(read, text, length, &kind, NULL));
  }
  EXPECT(LIME_ERROR_ARGUMENT, lime_item_attribute(read, count, &text, &length));
  CHECK(text == NULL && length == 0);

  OK(lime_item_value(read, TEXT("keywords"), &kind, &count));
  CHECK(kind == LIME_KIND_TEXTS && count == 2);
  OK(lime_item_text(read, TEXT("keywords"), 1, &text, &length));
  SAME("green", text, length);
  OK(lime_item_text(read, TEXT("keywords"), 1, &again, NULL));
  CHECK(again == text);
  EXPECT(LIME_ERROR_NOT_FOUND, lime_item_text(read, TEXT("keywords"), 2, &text, &length));
  EXPECT(LIME_ERROR_NOT_FOUND, lime_item_text(read, TEXT("album"), 0, &text, &length));
  EXPECT(LIME_ERROR_KIND, lime_item_text(read, TEXT("rating"), 0, &text, &length));
  OK(lime_item_value(read, TEXT("contentDescription"), &kind, &count));
  CHECK(kind == LIME_KIND_LOCALIZED && count == 2);
  OK(lime_item_label(read, TEXT("contentDescription"), 1, &text, &length));
  SAME("de", text, length);
  OK(lime_item_value(read, TEXT("authors"), &kind, &count));
  CHECK(kind == LIME_KIND_PERSONS && count == 3);
  OK(lime_item_text(read, TEXT("authors"), 1, &text, &length));
  SAME("ann@example.org", text, length);
  OK(lime_item_label(read, TEXT("authors"), 1, &text, &length));
  SAME("Ann", text, length);
  OK(lime_item_label(read, TEXT("authors"), 2, &text, &length));
  CHECK(text == NULL && length == 0);
  OK(lime_item_number(read, TEXT("rating"), &number));
  CHECK(number == 4.5);
  EXPECT(LIME_ERROR_KIND, lime_item_number(read, TEXT("title"), &number));
  CHECK(number == 0);
  OK(lime_item_bool(read, TEXT("allDay"), &flag));
  CHECK(flag == 1);
  OK(lime_item_date(read, TEXT("contentCreationDate"), 0, &date));
  CHECK(date == 1500000);
  OK(lime_item_date(read, TEXT("importantDates"), 1, &date));
  CHECK(date == 2);
  EXPECT(LIME_ERROR_NOT_FOUND, lime_item_date(read, TEXT("importantDates"), 2, &date));

  /* What the line says comes back as the same line. */
  OK(lime_item_json(read, &line, &length));
  OK(lime_item_parse(line, length, &parsed));
  OK(lime_item_json(parsed, &again, &again_length));
  CHECK(length == again_length && memcmp(line, again, length) == 0);
  OK(lime_item_json_without_thumbnail(parsed, &again, &again_length));
  CHECK(again_length < length && strstr(line, "\"thumbnail\":\"") != NULL &&
        strstr(again, "\"thumbnail\":") == NULL && strstr(again, "\"attributes\":{") != NULL);
  EXPECT(LIME_ERROR_ITEM, lime_item_parse(TEXT("{\"id\":1}"), &read));
  CHECK(read == NULL);

  /* Bytes and dictionaries, and what was lent stays when the item changes. */
  OK(lime_item_clear(item));
  OK(lime_item_set_data(item, TEXT("thumbnailData"), TEXT("\0\1")));
  OK(lime_item_data(item, TEXT("thumbnailData"), &data, &length));
  CHECK(length == 2 && memcmp(data, "\0\1", 3) == 0);
  EXPECT(LIME_ERROR_KIND, lime_item_text(item, TEXT("thumbnailData"), 0, &text, NULL));
  OK(lime_item_add_entry(item, TEXT("emailHeaders"), TEXT("b"), TEXT("1")));
  OK(lime_item_add_entry(item, TEXT("emailHeaders"), TEXT("a"), TEXT("2")));
  OK(lime_item_text(item, TEXT("emailHeaders"), 0, &text, &length));
  OK(lime_item_add_entry(item, TEXT("emailHeaders"), TEXT("a"), TEXT("3")));
  SAME("2", text, length);
  OK(lime_item_text(item, TEXT("emailHeaders"), 1, &text, &length));
  SAME("3", text, length);
  OK(lime_item_label(item, TEXT("emailHeaders"), 2, &text, &length));
  SAME("b", text, length);
  OK(lime_item_domain(item, &text, &length));
  CHECK(text == NULL);
  OK(lime_item_expiration(item, &date));
  CHECK(date == LIME_NEVER);

  OK(lime_item_free(item));
  OK(lime_item_free(parsed));
  EXPECT(LIME_ERROR_HANDLE, lime_item_free(item));
  OK(lime_index_close(index));
  EXPECT(LIME_ERROR_HANDLE, lime_index_close(index));
}

static void receipts(void) {
  lime_index *index = memory_index();
  lime_batch *batch;
  lime_item *item;
  lime_receipt *receipt;
  uint64_t number, line;
  size_t position, count, length;
  const char *text;

  OK(lime_batch_new(&batch));
  OK(lime_item_new(&item));
  OK(lime_item_set_text(item, TEXT("title"), TEXT("no id")));
  OK(lime_batch_add(batch, item));
  OK(lime_item_set_text(item, TEXT("rating"), TEXT("not a number")));
  OK(lime_item_set_id(item, TEXT("bad")));
  OK(lime_batch_add(batch, item));
  OK(lime_batch_count(batch, &count));
  CHECK(count == 2);
  OK(lime_index_put(index, batch, &receipt));
  OK(lime_receipt_number(receipt, LIME_RECEIPT_PUT, &number));
  CHECK(number == 1);
  OK(lime_receipt_number(receipt, LIME_RECEIPT_GENERATION, &number));
  CHECK(number > 0);
  OK(lime_receipt_number(receipt, LIME_RECEIPT_MADE, &number));
  CHECK(number == 1);
  OK(lime_receipt_made(receipt, 0, &position, &text, &length));
  CHECK(position == 0 && length == 36);
  OK(lime_receipt_refusal(receipt, 0, &position, &line));
  CHECK(position == 1 && line == 0);
  OK(lime_receipt_refusal_text(receipt, 0, LIME_REFUSAL_ID, &text, &length));
  SAME("bad", text, length);
  OK(lime_receipt_refusal_text(receipt, 0, LIME_REFUSAL_CODE, &text, &length));
  SAME("wrongKind", text, length);
  OK(lime_receipt_refusal_text(receipt, 0, LIME_REFUSAL_ATTRIBUTE, &text, &length));
  SAME("rating", text, length);
  EXPECT(LIME_ERROR_UNSUPPORTED,
         lime_receipt_refusal_text(receipt, 0, (lime_refusal_part)99, &text, &length));
  EXPECT(LIME_ERROR_ARGUMENT,
         lime_receipt_refusal_text(receipt, 1, LIME_REFUSAL_ID, &text, &length));
  OK(lime_receipt_json(receipt, &text, &length));
  CHECK(strstr(text, "\"code\":\"wrongKind\"") != NULL);
  OK(lime_receipt_free(receipt));

  /* Without a receipt a refusal does not pass in silence, and the others are taken. */
  EXPECT(LIME_ERROR_ITEM, lime_index_put(index, batch, NULL));
  OK(lime_batch_clear(batch));
  OK(lime_batch_count(batch, &count));
  CHECK(count == 0);
  OK(lime_index_count(index, &number));
  CHECK(number == 2);

  /* Lines have numbers. */
  lime_lines_options options = LIME_LINES_OPTIONS_INIT;
  static const char *const map[] = {"body", "textContent", "junk", ""};
  static const char *const dates[] = {"born"};
  options.first_line = 100;
  options.map = map;
  options.map_count = 2;
  options.dates = dates;
  options.date_count = 1;
  OK(lime_index_put_lines(
      index, TEXT("{\"id\":\"x\",\"body\":\"words\",\"junk\":1,\"attributes\":{\"born\":\"2020-01-01\"}}"
                  "\n\nnonsense\n\xff\n{\"body\":\"\xff}\\\"\",\"id\":\"bad\"}\n"),
      &options, &receipt));
  OK(lime_receipt_number(receipt, LIME_RECEIPT_REFUSED, &number));
  CHECK(number == 3);
  OK(lime_receipt_refusal(receipt, 0, &position, &line));
  CHECK(position == 2 && line == 102);
  OK(lime_receipt_refusal_text(receipt, 0, LIME_REFUSAL_ID, &text, &length));
  CHECK(text == NULL);
  /* A line that is no item, but has an id that can be read. */
  OK(lime_receipt_refusal(receipt, 2, &position, &line));
  CHECK(position == 4 && line == 104);
  OK(lime_receipt_refusal_text(receipt, 2, LIME_REFUSAL_ID, &text, &length));
  SAME("bad", text, length);
  OK(lime_receipt_free(receipt));
  lime_item *read;
  int64_t born;
  OK(lime_index_get(index, TEXT("x"), &read));
  OK(lime_item_date(read, TEXT("born"), 0, &born));
  CHECK(born == INT64_C(1577836800000000));
  OK(lime_item_text(read, TEXT("textContent"), 0, &text, &length));
  SAME("words", text, length);
  OK(lime_item_free(read));
  OK(lime_item_free(item));
  OK(lime_batch_free(batch));
  OK(lime_index_close(index));
}

int main(void) {
  versions();
  values();
  receipts();
  return 0;
}
