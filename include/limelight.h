/*
 * limelight.h - the C API of Limelight, an embeddable search engine.
 *
 * Items go in, ranked answers come out while the user types. The library lives in the host's own
 * process; there is no server. An index is a folder on disk, or lives in memory.
 *
 *     lime_index *index;
 *     lime_results *results;
 *     const char *note = "{\"id\":\"1\",\"attributes\":{\"title\":\"Caf\u00e9 notes\"}}";
 *     lime_index_open("notes.index", NULL, &index);
 *     lime_index_put_lines(index, note, LIME_TERMINATED, NULL, NULL);
 *     lime_index_search(index, "cafe", LIME_TERMINATED, 10, NULL, &results);
 *
 * CONVENTIONS, which hold wherever a function does not say otherwise
 *
 *  1. Status. A function that can fail returns lime_status: LIME_OK is 0, failures are negative.
 *     After a failure lime_last_error() has the message. A failed call has changed nothing.
 *  2. Handles. An opaque pointer such as lime_index * is the number of a slot in a table of the
 *     library, with a generation and a type; it is never an address. NULL, a closed handle, one of
 *     another type and an invented one give LIME_ERROR_HANDLE and nothing worse. The caller owns
 *     every handle that it was given and ends it once: an index by lime_index_close, all others
 *     by lime_<type>_free.
 *     One thread may end a handle while calls of others use it. Calls that begin later give
 *     LIME_ERROR_HANDLE. Those that have begun go on as if it were open; what it stands for goes
 *     with the last of them, and what it lent with it, so a pointer that such a call gives may be
 *     of no use any more. Calls on an index that is closed meanwhile may also give
 *     LIME_ERROR_CLOSED: then they have done nothing.
 *  3. Order. Handles may be ended in any order: results outlive their index, queries and items the
 *     calls they were given to. A handle passed in is read during the call and not kept.
 *  4. Out-pointers come last and are set by every call: on failure to NULL or 0. One that is
 *     required gives LIME_ERROR_ARGUMENT when it is NULL; "optional" ones may be NULL.
 *  5. Bytes in are a pointer and a length in bytes, read during the call and not kept. The length
 *     LIME_TERMINATED stands for "up to the NUL". NULL with length 0 is the empty text. Texts are
 *     UTF-8 and may hold NULs; what is not UTF-8 gives LIME_ERROR_TEXT.
 *  6. Bytes out are borrowed: a pointer and a length that stay as they are until the handle
 *     that lent them is ended, whatever else is called. A NUL that does not count follows them.
 *     Where there is nothing to lend (an item without a domain) the pointer is NULL. The length of
 *     a text is optional.
 *  7. Structs of options open with their size: set `size` to sizeof the struct, or begin with the
 *     LIME_..._INIT of that name. Zero is the default of every field, NULL stands for a struct of
 *     zeros. Fields and flags that this library does not know must be 0, else the call gives
 *     LIME_ERROR_UNSUPPORTED. There are no structs of results.
 *  8. Callbacks take the caller's `context` last and run in the thread of the call that they were
 *     given to. They may call anything, also on the same handles, which they may even end. They
 *     end the call by returning non-zero; it then returns LIME_ERROR_CANCELLED. They must not
 *     throw, and must not leave by longjmp.
 *  9. Threads. Any thread may call anything at any time, also with the same handle. Searches
 *     never wait for changes. Calls on one item, batch, weights or results take turns.
 * 10. Forks. In a forked child the parent's handles give LIME_ERROR_FORKED; ending them there
 *     gives LIME_OK and touches nothing of the parent's. The child opens handles of its own.
 * 11. Numbers of enumerators never change and are never used again. New ones may come: treat a
 *     status that you do not know as a failure.
 * 12. Every function may give LIME_ERROR_HANDLE, LIME_ERROR_FORKED and LIME_ERROR_ARGUMENT;
 *     "Errors" names what else. "Since" is the first version that has the function.
 * 13. The library stays loaded until the process ends, dlclose notwithstanding: threads of open
 *     indexes run in it. It installs no signal handlers and starts no threads before it is called.
 */
#ifndef LIMELIGHT_H
#define LIMELIGHT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================== Version */

/* The version of this header: major * 1000000 + minor * 1000 + patch. */
#define LIME_VERSION 1000

/* A length that stands for "up to the NUL". */
#define LIME_TERMINATED ((size_t)-1)

/* The version of the library that runs, to compare with LIME_VERSION: a program runs with any
 * library of its major version that is not older than its header.
 * Threads: any; safe in a signal handler. Errors: none. Since 0.1. */
uint32_t lime_version(void);

/* The version as text, such as "0.1.0".
 * Lifetime: the process. Threads: any. Errors: none. Since 0.1. */
const char *lime_version_text(void);

/* What the library can do, as one JSON object: version, formats, analyzers, features, limits.
 * Lifetime: the process. Threads: any. Errors: none. Since 0.1. */
const char *lime_capabilities(void);

/* The built-in attributes as a JSON list of objects: name, kind, searchClass, category, meaning,
 * unit, aliases.
 * Lifetime: the process. Threads: any. Errors: none. Since 0.1. */
const char *lime_attributes(void);

/* =================================================================== Status */

/* How a call ended. From -1 to -2999 the numbers are Core Spotlight's, where one fits; those
 * that are missing are kept for their meaning there. From -3000 on they are Limelight's. */
typedef enum lime_status {
  LIME_OK = 0,
  LIME_ERROR_UNKNOWN = -1,        /* anything else */
  LIME_ERROR_LOCKED = -1000,      /* somebody else writes the index now */
  LIME_ERROR_ITEM = -1001,        /* an item, or the declaration of an attribute, is not allowed */
  LIME_ERROR_NO_SPACE = -1004,    /* the disk, or the quota on it, is full */
  LIME_ERROR_UNSUPPORTED = -1005, /* this library, or this kind of index, cannot do that */
  LIME_ERROR_QUERY = -2002,       /* a query is nested too deeply or is too large */
  LIME_ERROR_CANCELLED = -2003,   /* cancelled, or ended by a callback */
  LIME_ERROR_HANDLE = -3000,      /* NULL, closed, of another type, or no handle at all */
  LIME_ERROR_ARGUMENT = -3001,    /* an argument is not allowed */
  LIME_ERROR_TEXT = -3002,        /* a text is not UTF-8 */
  LIME_ERROR_CLOSED = -3003,      /* the index was closed while the call ran */
  LIME_ERROR_READ_ONLY = -3004,   /* the index was opened for reading */
  LIME_ERROR_NOT_FOUND = -3005,   /* there is no such index, item, value or text */
  LIME_ERROR_KIND = -3006,        /* the attribute's value is of another kind */
  LIME_ERROR_DAMAGED = -3007,     /* bytes of a file are not what was written */
  LIME_ERROR_NEWER = -3008,       /* a later version of Limelight wrote the index */
  LIME_ERROR_ANALYZER = -3009,    /* the index needs an analyzer that this library does not have */
  LIME_ERROR_NOT_STORED = -3010,  /* the index does not store its items */
  LIME_ERROR_IO = -3011,          /* the operating system reported an error */
  LIME_ERROR_PERMISSION = -3012,  /* the operating system does not permit it */
  LIME_ERROR_POISONED = -3013,    /* a write failed, its outcome is unknown: open the index again */
  LIME_ERROR_FORKED = -3014,      /* the handle belongs to the parent of this process */
  LIME_ERROR_LIMIT = -3015,       /* there are too many handles */
  LIME_ERROR_OLDER = -3016,       /* an earlier version wrote the index, in a format that this one
                                   * does not read any more */
  LIME_ERROR_TIMED_OUT = -3017    /* what was waited for has not come in the time */
} lime_status;

/* The name of a status, such as "LIME_ERROR_HANDLE"; of one that is not known,
 * "LIME_ERROR_UNKNOWN".
 * Lifetime: the process. Threads: any. Errors: none. Since 0.1. */
const char *lime_status_name(lime_status status);

/* Why the last call of this thread that failed did so, for people; "" before any failure.
 * Lifetime: until the next call of this thread that fails, or the thread's end.
 * Threads: each has its own. Errors: none. Since 0.1. */
const char *lime_last_error(void);

/* The same as a JSON object: status (the number), name, message, and, where known, file, section,
 * offset (what is damaged) and holder (the process that has the lock).
 * Lifetime: until the next call of this thread that fails, or the thread's end.
 * Threads: each has its own. Errors: none. Since 0.1. */
const char *lime_last_error_json(void);

/* ================================================================== Handles */

typedef struct lime_index lime_index;               /* an open index */
typedef struct lime_item lime_item;                 /* an item: built by the host, or read */
typedef struct lime_batch lime_batch;               /* items to put together */
typedef struct lime_receipt lime_receipt;           /* what a change did */
typedef struct lime_query lime_query;               /* a query, which never changes */
typedef struct lime_weights lime_weights;           /* what a match in an attribute adds */
typedef struct lime_cancellation lime_cancellation; /* ends calls from another thread */
typedef struct lime_results lime_results;           /* the hits of a search */
typedef struct lime_highlights lime_highlights;     /* where a query's words stand in a hit */
typedef struct lime_stats lime_stats;               /* numbers about an index */
typedef struct lime_strings lime_strings;           /* a list of texts */
typedef struct lime_string lime_string;             /* a text */

/* ============================================================ Opening an index */

/* How texts become words; fixed when an index is made. */
typedef enum lime_analyzer {
  LIME_ANALYZER_WORDS = 0, /* Unicode's word boundaries */
  LIME_ANALYZER_RUNS = 1   /* runs of letters and runs of digits */
} lime_analyzer;

#define LIME_OPEN_READ_ONLY 0x1u     /* for searching: takes no lock, follows a writer elsewhere */
#define LIME_OPEN_WITHOUT_ITEMS 0x2u /* an index that is made keeps ids only, no items */
#define LIME_OPEN_SKIP_DAMAGED 0x4u  /* only with READ_ONLY: damaged segments stay out */
#define LIME_OPEN_READ_FILES 0x8u    /* files are read into memory, not mapped */
#define LIME_OPEN_JOURNALED 0x100u   /* changes are of level LIME_DURABILITY_JOURNALED */
#define LIME_OPEN_RELAXED 0x200u     /* changes are of level LIME_DURABILITY_RELAXED */
#define LIME_OPEN_GUARD_MAPS 0x10u   /* the library may handle SIGBUS: a cut file is an error */
#define LIME_OPEN_SOLE_WRITER 0x20u  /* nobody else writes: for file systems without locks */

/* How an index is opened. Analyzer and LIME_OPEN_WITHOUT_ITEMS count when the index is made.
 * With LIME_OPEN_SKIP_DAMAGED all segments are read once when the index is opened; those of which a
 * byte is not what was written are as if they were not there, and lime_index_skipped names them.
 * With LIME_OPEN_READ_FILES the index takes as much memory as its files have bytes; then nothing
 * that others do to the files can end the process, as it does to a map that is cut short.
 * With LIME_OPEN_GUARD_MAPS (not together with READ_FILES) files are mapped, and a map that is cut
 * short is LIME_ERROR_DAMAGED: a handler of SIGBUS, installed at the first such opening and never
 * taken away, puts zeros where bytes are missing, and every call looks at that before it answers.
 * Any other SIGBUS goes to the handler that was there before; one that is installed later has to
 * call this one. A thread that blocks the signal is not guarded.
 * With LIME_OPEN_SOLE_WRITER the host promises that no other process writes to the index; then it can
 * be written where the file system has no locks, which is LIME_ERROR_IO otherwise. Nothing else
 * changes: a second writer in this process is refused, and so it is where locks do work. */
typedef struct lime_open_options {
  uint32_t size;      /* sizeof(lime_open_options) */
  uint32_t flags;     /* LIME_OPEN_... */
  uint32_t analyzer;  /* a lime_analyzer */
  uint32_t lock_wait; /* how long to wait for another writer to end, in milliseconds */
} lime_open_options;
#define LIME_OPEN_OPTIONS_INIT {sizeof(lime_open_options), 0, LIME_ANALYZER_WORDS, 0}

/* Opens the index in a folder; makes folder and index where there is none, unless it is to be read
 * only. One handle may write at a time, over all processes; any number may read.
 * `path` ends with a NUL and is UTF-8. `options` is optional.
 * Owner: the caller ends *index by lime_index_close. Threads: any.
 * Errors: LOCKED, NOT_FOUND, DAMAGED, NEWER, OLDER, ANALYZER, IO, PERMISSION, NO_SPACE, TEXT,
 * UNSUPPORTED.
 * Since 0.1. */
lime_status lime_index_open(const char *path, const lime_open_options *options, lime_index **index);

/* Makes an index that lives in memory until it is closed. LIME_OPEN_READ_ONLY is not allowed.
 * Owner: the caller ends *index by lime_index_close. Threads: any. Errors: UNSUPPORTED. Since
 * 0.1. */
lime_status lime_index_open_memory(const lime_open_options *options, lime_index **index);

/* Closes an index: writes what is only in the journal to segment files and gives up the lock.
 * The handle is ended even if that fails; nothing that was acknowledged is lost then. Calls that
 * other threads have begun end with LIME_ERROR_CLOSED or as if the index were open (convention 2).
 * Results, items and all else that came from the index stay good.
 * Threads: any, also inside a callback of the index. Errors: IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_close(lime_index *index);

/* The folder of the index as it was given; *path is NULL for an index in memory.
 * Lifetime: until the index is closed. Threads: any. Errors: none. Since 0.1. */
lime_status lime_index_path(lime_index *index, const char **path, size_t *length);

/* The analyzer with which the index was made. Threads: any. Errors: none. Since 0.1. */
lime_status lime_index_analyzer(lime_index *index, lime_analyzer *analyzer);

/* Whether the index stores its items (1), so that they can be returned and highlighted, or not (0).
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_index_stores_items(lime_index *index, int *stores);

/* Counts the damaged segments without which the index is read; 0 unless it was opened with
 * LIME_OPEN_SKIP_DAMAGED. `report`, a JSON list of objects (file, items, problem), is optional; a
 * problem is as those of lime_verify.
 * Owner: the caller ends *report by lime_string_free. Threads: any. Errors: CLOSED, DAMAGED, IO.
 * Since 0.1. */
lime_status lime_index_skipped(lime_index *index, size_t *segments, lime_string **report);

/* ==================================================================== Items */

/* An item is an id, a domain, and attributes with values: a title, keywords, a text, dates.
 *
 * Attributes are the built-in ones of lime_attributes(), by name or alias, or the host's own, whose
 * kind (text, number, boolean or date) is fixed by lime_index_declare or by the first value put.
 * Whether a value fits its attribute is checked when the item is put. Dates are microseconds since
 * 1970, UTC. */

/* The kinds of values. */
typedef enum lime_kind {
  LIME_KIND_TEXT = 1,
  LIME_KIND_TEXTS = 2, /* several texts, kept apart */
  LIME_KIND_NUMBER = 3,
  LIME_KIND_BOOL = 4,
  LIME_KIND_DATE = 5,
  LIME_KIND_DATES = 6,
  LIME_KIND_URL = 7,
  LIME_KIND_DATA = 8, /* bytes */
  LIME_KIND_PERSONS = 9,
  LIME_KIND_DICTIONARY = 10, /* names, each with a list of texts */
  LIME_KIND_CONTENT_TYPE = 11,
  LIME_KIND_LOCALIZED = 12 /* one text in several languages: a value of a text attribute */
} lime_kind;

/* The expiration date of an item that never expires. */
#define LIME_NEVER INT64_MAX

/* Makes an empty item; without an id it gets a UUID when it is put.
 * Owner: the caller ends *item by lime_item_free. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_new(lime_item **item);

/* Makes an item out of a line of JSON, in the form that lime_item_json gives:
 * {"id":"1","domain":"notes","attributes":{"title":"Tea","rating":5}}.
 * Owner: the caller ends *item by lime_item_free. Threads: any. Errors: ITEM. Since 0.1. */
lime_status lime_item_parse(const char *json, size_t length, lime_item **item);

/* Ends an item and what it lent. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_free(lime_item *item);

/* Takes everything out of an item, to build the next one; what it lent stays as it is.
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_clear(lime_item *item);

/* Sets the id: up to 4,096 bytes, unique in an index. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_id(lime_item *item, const char *id, size_t length);

/* Sets the domain: components separated by periods, such as "mail.inbox"; NULL takes it away.
 * Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_domain(lime_item *item, const char *domain, size_t length);

/* Sets the uniform type identifier, such as "public.jpeg"; NULL takes it away.
 * Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_content_type(lime_item *item, const char *type, size_t length);

/* Sets the moment from which on the item is not found any more; LIME_NEVER takes it away.
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_set_expiration(lime_item *item, int64_t microseconds);

/* Sets the encoded picture to show beside the item; NULL takes it away.
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_set_thumbnail(lime_item *item, const void *bytes, size_t length);

/* Sets a text, an address or a type identifier. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_text(lime_item *item, const char *attribute, size_t attribute_length,
                               const char *text, size_t length);

/* Adds a text to an attribute's list of texts. Threads: any. Errors: TEXT, KIND. Since 0.1. */
lime_status lime_item_add_text(lime_item *item, const char *attribute, size_t attribute_length,
                               const char *text, size_t length);

/* Adds the text of one language, a BCP 47 tag such as "zh-Hant", to a text attribute.
 * Threads: any. Errors: TEXT, KIND. Since 0.1. */
lime_status lime_item_add_localized(lime_item *item, const char *attribute, size_t attribute_length,
                                    const char *language, size_t language_length, const char *text,
                                    size_t length);

/* Sets a number, which has to be finite. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_number(lime_item *item, const char *attribute, size_t attribute_length,
                                 double number);

/* Sets a boolean: 0 is false, anything else true. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_bool(lime_item *item, const char *attribute, size_t attribute_length,
                               int flag);

/* Sets a date. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_date(lime_item *item, const char *attribute, size_t attribute_length,
                               int64_t microseconds);

/* Adds a date to an attribute's list of dates. Threads: any. Errors: TEXT, KIND. Since 0.1. */
lime_status lime_item_add_date(lime_item *item, const char *attribute, size_t attribute_length,
                               int64_t microseconds);

/* Sets bytes. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_set_data(lime_item *item, const char *attribute, size_t attribute_length,
                               const void *bytes, size_t length);

/* Adds a person by the name that is shown. Threads: any. Errors: TEXT, KIND. Since 0.1. */
lime_status lime_item_add_person(lime_item *item, const char *attribute, size_t attribute_length,
                                 const char *name, size_t length);

/* Adds a mail address or the like to the attribute's last person; KIND where there is none.
 * Threads: any. Errors: TEXT, KIND. Since 0.1. */
lime_status lime_item_add_handle(lime_item *item, const char *attribute, size_t attribute_length,
                                 const char *handle, size_t length);

/* Adds a text to the list of a name in a dictionary. Threads: any. Errors: TEXT, KIND. Since
 * 0.1. */
lime_status lime_item_add_entry(lime_item *item, const char *attribute, size_t attribute_length,
                                const char *name, size_t name_length, const char *text,
                                size_t length);

/* Takes an attribute's value away, if it has one. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_item_remove(lime_item *item, const char *attribute, size_t attribute_length);

/* The id; empty when none was set. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_id(lime_item *item, const char **id, size_t *length);

/* The domain; NULL when there is none. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_domain(lime_item *item, const char **domain, size_t *length);

/* The uniform type identifier; NULL when there is none. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_content_type(lime_item *item, const char **type, size_t *length);

/* The expiration date, or LIME_NEVER. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_expiration(lime_item *item, int64_t *microseconds);

/* The encoded picture; NULL when there is none. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_thumbnail(lime_item *item, const void **bytes, size_t *length);

/* The number of attributes that have a value. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_count(lime_item *item, size_t *count);

/* The name of the attribute at a place below the count. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_attribute(lime_item *item, size_t place, const char **name, size_t *length);

/* What kind of value an attribute has, and how many texts, dates, or single values.
 * `kind` and `count` are optional. Threads: any. Errors: NOT_FOUND, TEXT. Since 0.1. */
lime_status lime_item_value(lime_item *item, const char *attribute, size_t attribute_length,
                            lime_kind *kind, size_t *count);

/* A text of an attribute by its number: the place in a list, a language, a person's name and
 * then each of their handles, the texts of a dictionary in the order of its names.
 * Highlights count texts in the same way.
 * Threads: any. Errors: NOT_FOUND, KIND (the value has no texts), TEXT. Since 0.1. */
lime_status lime_item_text(lime_item *item, const char *attribute, size_t attribute_length,
                           size_t number, const char **text, size_t *length);

/* What a text of that number belongs to: its language, its name in a dictionary, for a handle its
 * person's name; NULL for all others, so for a person's name itself.
 * Threads: any. Errors: NOT_FOUND, KIND, TEXT. Since 0.1. */
lime_status lime_item_label(lime_item *item, const char *attribute, size_t attribute_length,
                            size_t number, const char **label, size_t *length);

/* The number of an attribute. Threads: any. Errors: NOT_FOUND, KIND, TEXT. Since 0.1. */
lime_status lime_item_number(lime_item *item, const char *attribute, size_t attribute_length,
                             double *number);

/* The boolean of an attribute, 0 or 1. Threads: any. Errors: NOT_FOUND, KIND, TEXT. Since 0.1. */
lime_status lime_item_bool(lime_item *item, const char *attribute, size_t attribute_length,
                           int *flag);

/* A date of an attribute by its number from 0. Threads: any. Errors: NOT_FOUND, KIND, TEXT.
 * Since 0.1. */
lime_status lime_item_date(lime_item *item, const char *attribute, size_t attribute_length,
                           size_t number, int64_t *microseconds);

/* The bytes of an attribute. Threads: any. Errors: NOT_FOUND, KIND, TEXT. Since 0.1. */
lime_status lime_item_data(lime_item *item, const char *attribute, size_t attribute_length,
                           const void **bytes, size_t *length);

/* The whole item as a line of JSON without the newline; lime_item_parse and
 * lime_index_put_lines take it back. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_json(lime_item *item, const char **json, size_t *length);

/* The same without the thumbnail, which can be many times as long as all else; read it by
 * lime_item_thumbnail. Threads: any. Errors: none. Since 0.1. */
lime_status lime_item_json_without_thumbnail(lime_item *item, const char **json, size_t *length);

/* ================================================================== Batches */

/* Makes a batch without items.
 * Owner: the caller ends *batch by lime_batch_free. Threads: any. Errors: none. Since 0.1. */
lime_status lime_batch_new(lime_batch **batch);

/* Ends a batch. Threads: any. Errors: none. Since 0.1. */
lime_status lime_batch_free(lime_batch *batch);

/* Adds an item as it is now; the item may then be changed and added again.
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_batch_add(lime_batch *batch, lime_item *item);

/* The number of items in the batch. Threads: any. Errors: none. Since 0.1. */
lime_status lime_batch_count(lime_batch *batch, size_t *count);

/* Takes all items out of the batch. Threads: any. Errors: none. Since 0.1. */
lime_status lime_batch_clear(lime_batch *batch);

/* ======================================================== Changing an index */

/* When a change returns LIME_OK, it is on disk and found by every later search, in this process
 * and in readers elsewhere. Nothing else has to be called; lime_durability says what may differ.
 *
 * A bad item is refused by itself; the others are taken. The receipt lists the refusals.
 * `receipt` is optional; without one, refusals make the call return LIME_ERROR_ITEM with a
 * message about the first of them, after the others were taken. */

/* Puts the items of a batch, each replacing the one of its id; the batch stays as it is.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: READ_ONLY, CLOSED, ITEM, IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_put(lime_index *index, lime_batch *batch, lime_receipt **receipt);

/* Puts one item. Many are put faster by a batch or as lines.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: READ_ONLY, CLOSED, ITEM, IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_put_item(lime_index *index, lime_item *item, lime_receipt **receipt);

/* How lines become items. */
typedef struct lime_lines_options {
  uint32_t size;           /* sizeof(lime_lines_options) */
  uint32_t flags;          /* none yet */
  uint64_t first_line;     /* the number of the first line in receipts; 0 is the default, 1 */
  const char *const *map;  /* names of flat members and their attributes, in pairs: "body",
                              "textContent"; "id", "domain" and "" (leave it out) are targets too */
  size_t map_count;        /* the number of pairs */
  const char *const *dates; /* attributes of the host whose values are dates */
  size_t date_count;       /* their number */
} lime_lines_options;
#define LIME_LINES_OPTIONS_INIT {sizeof(lime_lines_options), 0, 0, NULL, 0, NULL, 0}

/* Puts the items of a text of lines, each one a JSON object; empty lines are passed over. The
 * fastest way to put many items at once. `options` is optional. A line that is not UTF-8 is
 * refused like any that is no item.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: READ_ONLY, CLOSED, ITEM, IO, NO_SPACE, POISONED, TEXT (an option), UNSUPPORTED. Since
 * 0.1. */
lime_status lime_index_put_lines(lime_index *index, const char *lines, size_t length,
                                 const lime_lines_options *options, lime_receipt **receipt);

/* How a load is done. */
typedef struct lime_load_options {
  uint32_t size;                   /* sizeof(lime_load_options) */
  uint32_t flags;                  /* none yet */
  uint64_t memory_budget;          /* about how many bytes to use; 0 is the default, 256 MiB */
  uint32_t threads;                /* that parse and analyse; 0 is the default, 1: the caller's */
  uint32_t reserved;               /* 0 */
  const lime_lines_options *lines; /* how lines become items; optional */
  lime_cancellation *cancellation; /* optional */
} lime_load_options;
#define LIME_LOAD_OPTIONS_INIT {sizeof(lime_load_options), 0, 0, 0, 0, NULL, NULL}

/* Gives the next piece of a text, cut anywhere: sets *text and *length, which have to stay
 * good until the next call; length 0 ends the text. Returns 0, or anything else to end the load. */
typedef int (*lime_text_callback)(const char **text, size_t *length, void *context);

/* Told how far a load is: lines read, items put and refused, bytes read, seconds since the start.
 * Returns 0, or anything else to end the load. */
typedef int (*lime_progress_callback)(uint64_t read, uint64_t put, uint64_t refused, uint64_t bytes,
                                      double seconds, void *context);

/* Loads lines in bulk: much faster than puts, found bit by bit, durable when the call returns.
 * `options` and `progress` are optional. When a callback or the cancellation ends the load, what
 * was read until then is in the index and durable, the receipt tells it, and the status is
 * LIME_ERROR_CANCELLED; a cancellation is looked at every few lines.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any; callbacks run in the
 * caller's.
 * Errors: READ_ONLY, CLOSED, ITEM, IO, NO_SPACE, POISONED, CANCELLED, TEXT (an option),
 * UNSUPPORTED.
 * Since 0.1. */
lime_status lime_index_load(lime_index *index, const lime_load_options *options,
                            lime_text_callback next, lime_progress_callback progress, void *context,
                            lime_receipt **receipt);

/* The same for a text that is in memory as a whole.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any; callbacks run in the
 * caller's.
 * Errors: as lime_index_load. Since 0.1. */
lime_status lime_index_load_lines(lime_index *index, const char *lines, size_t length,
                                  const lime_load_options *options, lime_progress_callback progress,
                                  void *context, lime_receipt **receipt);

/* How long work is done. */
typedef struct lime_work_options {
  uint32_t size;                   /* sizeof(lime_work_options) */
  uint32_t flags;                  /* LIME_MERGE_ for lime_index_merge, else 0 */
  lime_cancellation *cancellation; /* optional */
} lime_work_options;
#define LIME_WORK_OPTIONS_INIT {sizeof(lime_work_options), 0, NULL}

/* Deletes items by id; ids that are not there are passed over. `lengths` is optional: without
 * it the ids end with NULs.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: READ_ONLY, CLOSED, TEXT, IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_delete(lime_index *index, const char *const *ids, const size_t *lengths,
                              size_t count, lime_receipt **receipt);

/* Deletes all items of a domain and of those below it: "mail" takes "mail.inbox", not "mailing".
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: READ_ONLY, CLOSED, TEXT, IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_delete_domain(lime_index *index, const char *domain, size_t length,
                                     lime_receipt **receipt);

/* Deletes all items that match a query. `options` is optional; a cancellation ends the call while
 * the items are looked for, and none is deleted.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: READ_ONLY, CLOSED, QUERY, CANCELLED, DAMAGED, IO, NO_SPACE, POISONED, UNSUPPORTED.
 * Since 0.1. */
lime_status lime_index_delete_query(lime_index *index, lime_query *query,
                                    const lime_work_options *options, lime_receipt **receipt);

/* Deletes everything.
 * Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: READ_ONLY, CLOSED, IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_delete_all(lime_index *index, lime_receipt **receipt);

/* How soon a change is on disk. Whatever the level, it is found by every later search, and safe
 * from the end of this process, when its call returns. A power cut, or a crash of the whole
 * system, may take changes of the lower levels: always the last ones before it, none from the
 * middle, and no batch in part. A change of LIME_DURABILITY_FULL, lime_index_flush, and every
 * checkpoint make those before them durable too.
 *
 * The level of an index is LIME_DURABILITY_FULL, or what LIME_OPEN_JOURNALED or LIME_OPEN_RELAXED
 * (not both) says when it is opened; the calls that end with _at take another one. */
typedef enum lime_durability {
  LIME_DURABILITY_USUAL = 0,     /* that of the index */
  LIME_DURABILITY_FULL = 1,      /* a change returns when it is on disk: nothing is lost */
  LIME_DURABILITY_JOURNALED = 2, /* it returns when it is written, and is synced within a second by
                                    a thread of the library: a power cut takes at most the changes
                                    of the last second, unless the disk needs more than half of it
                                    for a sync. A process that is killed syncs no more; then it is
                                    the kernel that writes, which takes Linux about half a minute */
  LIME_DURABILITY_RELAXED = 3    /* it returns when it is written, and is synced by the next change
                                    of FULL, by lime_index_flush, commit, merge or close, and by
                                    the checkpoint that the library makes at 8 MiB in memory and
                                    after a second without changes: a power cut takes at most the
                                    changes since the last of these */
} lime_durability;

/* The changes above, at a level that may be another than that of the index; else as the functions
 * without _at. Owner: the caller ends *receipt by lime_receipt_free. Threads: any.
 * Errors: as the functions without _at; ARGUMENT: there is no such level. Since 0.1. */
lime_status lime_index_put_at(lime_index *index, lime_batch *batch, lime_durability durability,
                              lime_receipt **receipt);

/* lime_index_put_item, at a level. Owner: as above. Threads: any. Errors: as above. Since 0.1. */
lime_status lime_index_put_item_at(lime_index *index, lime_item *item, lime_durability durability,
                                   lime_receipt **receipt);

/* lime_index_put_lines, at a level. Owner: as above. Threads: any. Errors: as above. Since 0.1. */
lime_status lime_index_put_lines_at(lime_index *index, const char *lines, size_t length,
                                    const lime_lines_options *options, lime_durability durability,
                                    lime_receipt **receipt);

/* lime_index_delete, at a level. Owner: as above. Threads: any. Errors: as above. Since 0.1. */
lime_status lime_index_delete_at(lime_index *index, const char *const *ids, const size_t *lengths,
                                 size_t count, lime_durability durability, lime_receipt **receipt);

/* lime_index_delete_domain, at a level. Owner: as above. Threads: any. Errors: as above. Since
 * 0.1. */
lime_status lime_index_delete_domain_at(lime_index *index, const char *domain, size_t length,
                                        lime_durability durability, lime_receipt **receipt);

/* lime_index_delete_query, at a level. Owner: as above. Threads: any. Errors: as above. Since
 * 0.1. */
lime_status lime_index_delete_query_at(lime_index *index, lime_query *query,
                                       const lime_work_options *options,
                                       lime_durability durability, lime_receipt **receipt);

/* lime_index_delete_all, at a level. Owner: as above. Threads: any. Errors: as above. Since 0.1. */
lime_status lime_index_delete_all_at(lime_index *index, lime_durability durability,
                                     lime_receipt **receipt);

/* Waits until every change that has returned is on disk; one sync, or nothing if all is. A sync in
 * the background that has failed is told here, as by the next change. `generation`, optional, is
 * the number of the last change that is durable.
 * Threads: any. Errors: READ_ONLY, CLOSED, IO, POISONED. Since 0.1. */
lime_status lime_index_flush(lime_index *index, uint64_t *generation);

/* The number of the last change that is durable: changes with numbers up to it need no waiting.
 * Threads: any. Errors: READ_ONLY, CLOSED. Since 0.1. */
lime_status lime_index_durable_generation(lime_index *index, uint64_t *generation);

/* How an attribute takes part in searching. */
typedef enum lime_search_class {
  LIME_CLASS_USUAL = 0,    /* named for texts, filter for everything else */
  LIME_CLASS_STANDARD = 1, /* its words are found by queries that name no attribute */
  LIME_CLASS_NAMED = 2,    /* its words are found by queries that name it */
  LIME_CLASS_FILTER = 3,   /* it is compared, sorted and counted */
  LIME_CLASS_NONE = 4      /* it is stored and returned */
} lime_search_class;

/* Fixes kind (LIME_KIND_TEXT, NUMBER, BOOL or DATE) and search class of an attribute of the
 * host's; once more with the same is no error.
 * Threads: any. Errors: READ_ONLY, CLOSED, ITEM, TEXT, IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_declare(lime_index *index, const char *name, size_t length, lime_kind kind,
                               lime_search_class search_class);

/* Writes what is only in the journal to segment files: makes all changes durable, for which
 * lime_index_flush is enough, and the next opening faster.
 * Threads: any. Errors: READ_ONLY, CLOSED, IO, NO_SPACE, POISONED. Since 0.1. */
lime_status lime_index_commit(lime_index *index);

/* Waits until the index shows the change whose receipt has this generation (LIME_RECEIPT_GENERATION),
 * and all before it: for a reader in another process that was told of a put. Without a wait, a search
 * sees all that was acknowledged before it began. A generation of another index, or one that never
 * comes, ends by the time limit; 0 milliseconds look once. `options` is optional.
 * Threads: any. Errors: TIMED_OUT, CANCELLED, CLOSED, DAMAGED, IO. Since 0.1. */
lime_status lime_index_wait(lime_index *index, uint64_t generation, uint32_t milliseconds,
                            const lime_work_options *options);

/* What a merge does beyond joining segments, for an index that is seldom written from then on:
 * flags of lime_work_options. Answers stay the same; what is put later is written as usual. */
/* Compress stored items harder: text takes a fifth less and is read no slower, for some 4 s of time
 * a 100 MB of text. */
#define LIME_MERGE_COMPACT 0x1u
/* Give items another order inside, in which those with the same words stand together: what finds
 * items takes a twentieth less. Hits of the same score still follow their arrival. Takes some 15 s
 * for 100,000 items of 2.5 KB. */
#define LIME_MERGE_REORDER 0x2u

/* Merges until at most so many segments are left; with 1, nothing of deleted items remains. Takes
 * time and disk space in proportion to the index; searches and puts go on meanwhile. `options` is
 * optional; a cancellation ends the merge, and the segments stay as they were. Flags in them write
 * one segment of all that is there, even if it is the only one: `segments` is then 1, or the answer
 * is ARGUMENT.
 * Threads: any. Errors: READ_ONLY, CLOSED, CANCELLED, DAMAGED, IO, NO_SPACE, POISONED,
 * UNSUPPORTED. Since 0.1. */
lime_status lime_index_merge(lime_index *index, size_t segments, const lime_work_options *options);

/* ================================================================= Receipts */

/* The numbers of a receipt. */
typedef enum lime_receipt_part {
  LIME_RECEIPT_GENERATION = 0, /* of the change: later ones have higher numbers */
  LIME_RECEIPT_PUT = 1,        /* items put */
  LIME_RECEIPT_DELETED = 2,    /* items deleted; those replaced by a put do not count */
  LIME_RECEIPT_REFUSED = 3,    /* items refused */
  LIME_RECEIPT_MADE = 4,       /* ids made for items without one */
  LIME_RECEIPT_READ = 5,       /* lines read by a load */
  LIME_RECEIPT_BYTES = 6,      /* bytes read by a load */
  LIME_RECEIPT_MICROSECONDS = 7, /* that a load took */
  LIME_RECEIPT_DURABLE = 8     /* 1 if the change was on disk when its call returned, else 0 */
} lime_receipt_part;

/* The texts of a refusal. */
typedef enum lime_refusal_part {
  LIME_REFUSAL_ID = 0,        /* the item's id, also of a line that is no item but has one that
                                 can be read; NULL when there is none */
  LIME_REFUSAL_CODE = 1,      /* why, as a stable word: "wrongKind", "invalidJSON", ... */
  LIME_REFUSAL_ATTRIBUTE = 2, /* the attribute or member that is to blame; NULL when none is */
  LIME_REFUSAL_MESSAGE = 3    /* why, for people */
} lime_refusal_part;

/* Ends a receipt and what it lent. Threads: any. Errors: none. Since 0.1. */
lime_status lime_receipt_free(lime_receipt *receipt);

/* A number of the receipt. Threads: any. Errors: none. Since 0.1. */
lime_status lime_receipt_number(lime_receipt *receipt, lime_receipt_part part, uint64_t *number);

/* An id that was made, and the item's place in its batch or text, from 0. `position` is optional.
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_receipt_made(lime_receipt *receipt, size_t place, size_t *position,
                              const char **id, size_t *length);

/* Which item was refused: its place in the batch, from 0, and, for a text, its line, else 0.
 * `position` and `line` are optional. Threads: any. Errors: none. Since 0.1. */
lime_status lime_receipt_refusal(lime_receipt *receipt, size_t place, size_t *position,
                                 uint64_t *line);

/* A text of a refusal. Threads: any. Errors: none. Since 0.1. */
lime_status lime_receipt_refusal_text(lime_receipt *receipt, size_t place, lime_refusal_part part,
                                      const char **text, size_t *length);

/* The whole receipt as a JSON object: generation, durable, put, deleted, read, bytes, microseconds,
 * made (objects of position and id), refused (objects of position, line, id, code, attribute,
 * message).
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_receipt_json(lime_receipt *receipt, const char **json, size_t *length);

/* ================================================================== Queries */

/* A query is a tree. Its texts are plain text, analysed like the items: case, accents and width
 * make no difference, and a text of several words stands for these words in a row. `attribute`
 * is optional: without it (NULL, 0) all attributes of class standard are searched. Queries are
 * never changed, and hold nothing of an index: one can be asked of many.
 * Owner: the caller ends each *query by lime_query_free, also those that went into others. */

/* Ends a query; those that it went into stay as they are. Threads: any. Errors: none. Since 0.1. */
lime_status lime_query_free(lime_query *query);

/* Items that hold the word. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_query_term(const char *text, size_t length, const char *attribute,
                            size_t attribute_length, lime_query **query);

/* Items that hold a word with this beginning. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_query_prefix(const char *text, size_t length, const char *attribute,
                              size_t attribute_length, lime_query **query);

/* Items that hold the words one after the other. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_query_phrase(const char *text, size_t length, const char *attribute,
                              size_t attribute_length, lime_query **query);

/* Items that hold the word or one within `distance` (0, 1 or 2) letters of it.
 * Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_query_fuzzy(const char *text, size_t length, uint32_t distance,
                             const char *attribute, size_t attribute_length, lime_query **query);

/* Items that match all of the queries; no queries match everything.
 * Threads: any. Errors: QUERY. Since 0.1. */
lime_status lime_query_all(lime_query *const *queries, size_t count, lime_query **query);

/* Items that match at least one of the queries; no queries match nothing.
 * Threads: any. Errors: QUERY. Since 0.1. */
lime_status lime_query_any(lime_query *const *queries, size_t count, lime_query **query);

/* Items that match all of `must` and none of `must_not`; what they match of `should` adds to the
 * score. Without any `must`, one of `should` has to match; without these too, every item does that
 * `must_not` leaves over. Threads: any. Errors: QUERY. Since 0.1. */
lime_status lime_query_boolean(lime_query *const *must, size_t must_count,
                               lime_query *const *should, size_t should_count,
                               lime_query *const *must_not, size_t must_not_count,
                               lime_query **query);

/* Items that do not match a query. Threads: any. Errors: QUERY. Since 0.1. */
lime_status lime_query_not(lime_query *negated, lime_query **query);

#define LIME_RANGE_NO_LOWER 0x1u /* open below; the lower bound is not looked at */
#define LIME_RANGE_NO_UPPER 0x2u /* open above; the upper bound is not looked at */
#define LIME_RANGE_ABOVE 0x4u    /* the lower bound itself is left out */
#define LIME_RANGE_BELOW 0x8u    /* the upper bound itself is left out */

/* Items with a number of the attribute between the bounds; `flags` are LIME_RANGE_..., 0 for
 * both bounds included. A bound that is not a number (NaN) matches nothing.
 * Threads: any. Errors: TEXT, UNSUPPORTED. Since 0.1. */
lime_status lime_query_numbers(const char *attribute, size_t attribute_length, double lower,
                               double upper, uint32_t flags, lime_query **query);

/* Items with a date of the attribute between the bounds. Threads: any. Errors: TEXT, UNSUPPORTED.
 * Since 0.1. */
lime_status lime_query_dates(const char *attribute, size_t attribute_length, int64_t lower,
                             int64_t upper, uint32_t flags, lime_query **query);

/* Items with a text of the attribute between the bounds, by their folded form, then by their bytes.
 * Texts of up to 255 bytes of filter, named and title-like attributes can be compared.
 * Threads: any. Errors: TEXT, UNSUPPORTED. Since 0.1. */
lime_status lime_query_texts(const char *attribute, size_t attribute_length, const char *lower,
                             size_t lower_length, const char *upper, size_t upper_length,
                             uint32_t flags, lime_query **query);

/* Items whose boolean attribute has this value. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_query_bool(const char *attribute, size_t attribute_length, int flag,
                            lime_query **query);

/* Items that have any value of a comparable attribute. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_query_has(const char *attribute, size_t attribute_length, lime_query **query);

/* Items of the domain or of one below it. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_query_domain(const char *domain, size_t length, lime_query **query);

/* What a person typed as a query, as lime_index_search of this index reads it, to combine it with
 * others; of the flags LIME_SEARCH_... only LIME_SEARCH_WHOLE_WORDS is allowed.
 * Threads: any. Errors: TEXT, UNSUPPORTED. Since 0.1. */
lime_status lime_index_query(lime_index *index, const char *text, size_t length, uint32_t flags,
                             lime_query **query);

/* All items. Threads: any. Errors: none. Since 0.1. */
lime_status lime_query_everything(lime_query **query);

/* No item. Threads: any. Errors: none. Since 0.1. */
lime_status lime_query_nothing(lime_query **query);

/* ================================================================= Searching */

/* Makes the standard weights: 1 for title and display name, less for other names, 0 for bodies.
 * Owner: the caller ends *weights by lime_weights_free. Threads: any. Errors: none. Since 0.1. */
lime_status lime_weights_new(lime_weights **weights);

/* Ends weights. Threads: any. Errors: none. Since 0.1. */
lime_status lime_weights_free(lime_weights *weights);

/* Sets the weight of an attribute, from 0 to 1,000: what is added, beside the word's frequency,
 * when a word stands in it. Threads: any. Errors: TEXT. Since 0.1. */
lime_status lime_weights_set(lime_weights *weights, const char *attribute, size_t attribute_length,
                             float weight);

/* Sets the weights of all attributes to 0. Threads: any. Errors: none. Since 0.1. */
lime_status lime_weights_clear(lime_weights *weights);

/* Makes something that ends calls from outside: searches and counts, loads, merges, verifications
 * and deletes by query.
 * Owner: the caller ends *cancellation by lime_cancellation_free. Threads: any. Errors: none.
 * Since 0.1. */
lime_status lime_cancellation_new(lime_cancellation **cancellation);

/* Ends a cancellation without cancelling. Threads: any. Errors: none. Since 0.1. */
lime_status lime_cancellation_free(lime_cancellation *cancellation);

/* Ends the calls that were given this soon, and later ones at once, with LIME_ERROR_CANCELLED.
 * Threads: any; safe in a signal handler as long as the handle is good. Errors: none. Since 0.1. */
lime_status lime_cancellation_cancel(lime_cancellation *cancellation);

/* Whether it was cancelled (1) or not (0). Threads: any. Errors: none. Since 0.1. */
lime_status lime_cancellation_state(lime_cancellation *cancellation, int *cancelled);

#define LIME_SEARCH_TOTAL_AT_LEAST 0x1u /* the total may be a lower bound: faster */
#define LIME_SEARCH_WHOLE_WORDS 0x2u    /* the last typed word is finished, not a beginning */

/* How a search is done. */
typedef struct lime_search_options {
  uint32_t size;                   /* sizeof(lime_search_options) */
  uint32_t flags;                  /* LIME_SEARCH_... */
  uint64_t offset;                 /* how many of the best hits to pass over */
  const char *domain;              /* only items of this domain and of those below it; optional */
  size_t domain_length;            /* its length */
  lime_weights *weights;           /* NULL for the standard ones */
  lime_cancellation *cancellation; /* optional */
} lime_search_options;
#define LIME_SEARCH_OPTIONS_INIT {sizeof(lime_search_options), 0, 0, NULL, 0, NULL, NULL}

/* Finds what a person types: words that must all be there, the last one perhaps unfinished,
 * "phrases" in quotes, -word for what must not be there, OR between alternatives. Any text is a
 * search; one without any word finds nothing.
 * At most `limit` hits, best first; of the same score, the older first. `options` is optional.
 * Owner: the caller ends *results by lime_results_free. Threads: any.
 * Errors: CLOSED, TEXT, CANCELLED, DAMAGED, IO, UNSUPPORTED. Since 0.1. */
lime_status lime_index_search(lime_index *index, const char *text, size_t length, size_t limit,
                              const lime_search_options *options, lime_results **results);

/* Finds what matches a query.
 * Owner: the caller ends *results by lime_results_free. Threads: any.
 * Errors: CLOSED, TEXT, CANCELLED, DAMAGED, IO, QUERY, UNSUPPORTED. Since 0.1. */
lime_status lime_index_search_query(lime_index *index, lime_query *query, size_t limit,
                                    const lime_search_options *options, lime_results **results);

/* How many items match what a person typed; of the options, domain, cancellation and
 * LIME_SEARCH_WHOLE_WORDS count.
 * Threads: any. Errors: CLOSED, TEXT, CANCELLED, DAMAGED, IO, UNSUPPORTED. Since 0.1. */
lime_status lime_index_count_text(lime_index *index, const char *text, size_t length,
                                  const lime_search_options *options, uint64_t *count);

/* How many items match a query; of the options, domain and cancellation count.
 * Threads: any. Errors: CLOSED, TEXT, CANCELLED, DAMAGED, IO, QUERY, UNSUPPORTED. Since 0.1. */
lime_status lime_index_count_query(lime_index *index, lime_query *query,
                                   const lime_search_options *options, uint64_t *count);

/* ================================================================== Results */

/* Results keep the snapshot that was searched: what is read from them stays what it was, whatever
 * changes later. Hits are numbered from 0, the best first. */

/* Ends results and what they lent. Threads: any. Errors: none. Since 0.1. */
lime_status lime_results_free(lime_results *results);

/* The number of hits at hand. Threads: any. Errors: none. Since 0.1. */
lime_status lime_results_count(lime_results *results, size_t *count);

/* How many items match in all; *exact is 0 when there may be more. `exact` is optional.
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_results_total(lime_results *results, uint64_t *total, int *exact);

/* How long the search took. Threads: any. Errors: none. Since 0.1. */
lime_status lime_results_nanoseconds(lime_results *results, uint64_t *nanoseconds);

/* The id of a hit. Threads: any. Errors: DAMAGED. Since 0.1. */
lime_status lime_results_id(lime_results *results, size_t hit, const char **id, size_t *length);

/* The domain of a hit; NULL when it has none. Threads: any. Errors: DAMAGED. Since 0.1. */
lime_status lime_results_domain(lime_results *results, size_t hit, const char **domain,
                                size_t *length);

/* How well a hit matches; only scores of one search can be compared.
 * Threads: any. Errors: none. Since 0.1. */
lime_status lime_results_score(lime_results *results, size_t hit, float *score);

/* The scores of all hits, `count` of them, best first.
 * Lifetime: until the results are ended. Threads: any. Errors: none. Since 0.1. */
lime_status lime_results_scores(lime_results *results, const float **scores, size_t *count);

/* The ids of all hits.
 * Owner: the caller ends *ids by lime_strings_free. Threads: any. Errors: DAMAGED. Since 0.1. */
lime_status lime_results_ids(lime_results *results, lime_strings **ids);

/* The whole item of a hit, as it was put.
 * Owner: the caller ends *item by lime_item_free. Threads: any. Errors: NOT_STORED, DAMAGED, IO.
 * Since 0.1. */
lime_status lime_results_item(lime_results *results, size_t hit, lime_item **item);

/* The attributes of a hit as a JSON object, {"title":"Tea","rating":5}.
 * Lifetime: until the results are ended. Threads: any. Errors: NOT_STORED, DAMAGED. Since 0.1. */
lime_status lime_results_attributes(lime_results *results, size_t hit, const char **json,
                                    size_t *length);

/* What places in a text count. */
typedef enum lime_unit {
  LIME_UNIT_UTF8 = 0,   /* bytes: C, Rust, Go */
  LIME_UNIT_UTF16 = 1,  /* code units of UTF-16: JavaScript, Java, C# */
  LIME_UNIT_SCALARS = 2 /* code points: Python */
} lime_unit;

/* Where the query's words stand in the texts of a hit.
 * Owner: the caller ends *highlights by lime_highlights_free. Threads: any.
 * Errors: NOT_STORED, DAMAGED. Since 0.1. */
lime_status lime_results_highlights(lime_results *results, size_t hit, lime_unit unit,
                                    lime_highlights **highlights);

#define LIME_JSON_ATTRIBUTES 0x1u /* with "attributes" */
#define LIME_JSON_HIGHLIGHTS 0x2u /* with "highlights" */

/* Some hits as lines of JSON, one call for all of them: from `first` on, at most `count`.
 * A line is {"id":...,"domain":...,"score":...} and, as the flags LIME_JSON_... want,
 * "attributes":{...} and "highlights":{"title":[[0,4]],"keywords":[[0,4,2]]}: start and end
 * in `unit`, and for an attribute of several texts the text's number.
 * Owner: the caller ends *lines by lime_string_free. Threads: any.
 * Errors: NOT_STORED, DAMAGED, UNSUPPORTED. Since 0.1. */
lime_status lime_results_json(lime_results *results, size_t first, size_t count, uint32_t flags,
                              lime_unit unit, lime_string **lines);

/* Ends highlights and what they lent. Threads: any. Errors: none. Since 0.1. */
lime_status lime_highlights_free(lime_highlights *highlights);

/* The number of texts with places. Threads: any. Errors: none. Since 0.1. */
lime_status lime_highlights_count(lime_highlights *highlights, size_t *count);

/* The places in one text: its attribute, its number among the attribute's texts as lime_item_text
 * counts them, and `range_count` pairs of start and end, ascending and apart. All out-pointers are
 * optional. Lifetime: until the highlights are ended. Threads: any. Errors: none. Since 0.1. */
lime_status lime_highlights_get(lime_highlights *highlights, size_t place, const char **attribute,
                                size_t *attribute_length, size_t *number, const uint64_t **ranges,
                                size_t *range_count);

/* =============================================================== Looking up */

/* The item of an id, as it was put; NOT_FOUND when there is none.
 * Owner: the caller ends *item by lime_item_free. Threads: any.
 * Errors: NOT_FOUND, NOT_STORED, CLOSED, DAMAGED, TEXT, IO. Since 0.1. */
lime_status lime_index_get(lime_index *index, const char *id, size_t length, lime_item **item);

/* Whether there is an item of that id (1) or not (0).
 * Threads: any. Errors: CLOSED, DAMAGED, TEXT, IO. Since 0.1. */
lime_status lime_index_contains(lime_index *index, const char *id, size_t length, int *contains);

/* The number of items. Threads: any. Errors: CLOSED, DAMAGED, IO. Since 0.1. */
lime_status lime_index_count(lime_index *index, uint64_t *count);

/* Ids in the order in which their items arrived: at most `limit`, only of a domain and of those
 * below it, only behind the item `after`; page through a long list with the last id of a page.
 * `domain` and `after` are optional (NULL, 0).
 * Owner: the caller ends *ids by lime_strings_free. Threads: any.
 * Errors: CLOSED, DAMAGED, TEXT, IO. Since 0.1. */
lime_status lime_index_ids(lime_index *index, const char *domain, size_t domain_length,
                           const char *after, size_t after_length, size_t limit,
                           lime_strings **ids);

/* ========================================================= Looking after it */

/* The numbers of lime_stats. */
typedef enum lime_stats_part {
  LIME_STATS_ITEMS = 0,      /* live items */
  LIME_STATS_DELETED = 1,    /* items deleted or replaced that merges will drop */
  LIME_STATS_GENERATION = 2, /* the number of the last change */
  LIME_STATS_SEGMENTS = 3,   /* segments */
  LIME_STATS_BYTES = 4,      /* bytes of all segments */
  LIME_STATS_DOMAINS = 5,    /* domains of live items */
  LIME_STATS_ATTRIBUTES = 6, /* attributes that items have */
  LIME_STATS_TOKENS = 7,     /* words of all texts */
  LIME_STATS_VALUES = 8      /* values of all attributes */
} lime_stats_part;

/* Counts what an index holds and costs; takes time in proportion to the number of items.
 * Owner: the caller ends *stats by lime_stats_free. Threads: any. Errors: CLOSED, DAMAGED, IO.
 * Since 0.1. */
lime_status lime_index_stats(lime_index *index, lime_stats **stats);

/* Ends stats and what they lent. Threads: any. Errors: none. Since 0.1. */
lime_status lime_stats_free(lime_stats *stats);

/* A number about the index. Threads: any. Errors: none. Since 0.1. */
lime_status lime_stats_number(lime_stats *stats, lime_stats_part part, uint64_t *number);

/* All numbers as a JSON object: items, deleted, generation, analyzer, storesItems, domains,
 * segments with their sections, attributes. Threads: any. Errors: none. Since 0.1. */
lime_status lime_stats_json(lime_stats *stats, const char **json, size_t *length);

/* Reads every byte of every segment, compares checksums and structure, and counts what is
 * wrong; 0 says that the index is whole. `report`, a JSON list of objects (file, section,
 * offset, status, message), is optional; so is `options`, whose cancellation ends the call.
 * Owner: the caller ends *report by lime_string_free. Threads: any.
 * Errors: CLOSED, CANCELLED, IO, UNSUPPORTED. Since 0.1. */
lime_status lime_index_verify(lime_index *index, const lime_work_options *options,
                              size_t *problems, lime_string **report);

/* The same for the index of a folder, opened for reading: damage that keeps it from being opened is
 * a problem like any other, and each file is then looked at by itself.
 * Owner: the caller ends *report by lime_string_free. Threads: any.
 * Errors: NOT_FOUND, CANCELLED, NEWER, OLDER, IO, PERMISSION, TEXT, UNSUPPORTED. Since 0.1. */
lime_status lime_verify(const char *path, const lime_work_options *options, size_t *problems,
                        lime_string **report);

#define LIME_REPAIR_DRY_RUN 0x1u     /* changes nothing, tells what would be lost */
#define LIME_REPAIR_SOLE_WRITER 0x2u /* nobody writes: as LIME_OPEN_SOLE_WRITER */

/* How an index is repaired. */
typedef struct lime_repair_options {
  uint32_t size;                   /* sizeof(lime_repair_options) */
  uint32_t flags;                  /* LIME_REPAIR_... */
  const char *output;              /* where to make the repaired index; NULL: beside, and swapped */
  lime_cancellation *cancellation; /* optional */
} lime_repair_options;
#define LIME_REPAIR_OPTIONS_INIT {sizeof(lime_repair_options), 0, NULL, NULL}

/* Makes an index of all that is whole in a damaged one, in a folder of its own. Without an output
 * the two folders are then swapped in one step, and the old files are in the folder beside `path`
 * whose name ends in ".before-repair"; nothing ever removes them. A folder given as output has to be
 * empty or not there; `path` then stays as it is. `problems` counts what is wrong: with 0 the index
 * is whole and nothing was done. `report`, a JSON object, is optional, and so is `options`:
 *   problems          as those of lime_verify
 *   rescued           items taken out of damaged segments
 *   lost              ids of items that are lost
 *   unidentified      a list of objects (file, items): items that are lost with their ids
 *   withoutThumbnail  ids of items that are kept without their thumbnails
 *   lostChanges       changes of which the journal's records are lost
 *   path, original    the folders of the repaired index and of the old files; null if there is none
 * A failed or cancelled call leaves the index as it was.
 * Owner: the caller ends *report by lime_string_free. Threads: any.
 * Errors: LOCKED, NOT_FOUND, DAMAGED (no manifest can be read), CANCELLED, NEWER, OLDER, ANALYZER,
 * NO_SPACE, IO, PERMISSION, TEXT, UNSUPPORTED (also: the file system cannot swap folders). Since
 * 0.1. */
lime_status lime_repair(const char *path, const lime_repair_options *options, size_t *problems,
                        lime_string **report);

/* ==================================================================== Texts */

/* Ends a text. Threads: any. Errors: none. Since 0.1. */
lime_status lime_string_free(lime_string *string);

/* The bytes of a text.
 * Lifetime: until the string is ended. Threads: any. Errors: none. Since 0.1. */
lime_status lime_string_data(lime_string *string, const char **data, size_t *length);

/* Ends a list of texts. Threads: any. Errors: none. Since 0.1. */
lime_status lime_strings_free(lime_strings *strings);

/* The number of texts. Threads: any. Errors: none. Since 0.1. */
lime_status lime_strings_count(lime_strings *strings, size_t *count);

/* The text at a place below the count.
 * Lifetime: until the list is ended. Threads: any. Errors: none. Since 0.1. */
lime_status lime_strings_get(lime_strings *strings, size_t place, const char **text,
                             size_t *length);

/* All texts at once: text i begins at data[offsets[i]] and ends, with a NUL, before offsets[i + 1]:
 * its length is offsets[i + 1] - offsets[i] - 1. There are count + 1 offsets.
 * `count` is optional.
 * Lifetime: until the list is ended. Threads: any. Errors: none. Since 0.1. */
lime_status lime_strings_data(lime_strings *strings, const char **data, const uint64_t **offsets,
                              size_t *count);

#ifdef __cplusplus
}
#endif

#endif
