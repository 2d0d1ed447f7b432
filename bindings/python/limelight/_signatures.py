"""The C functions that the package calls: what they take and give, as the header declares them.

The table is text in C's own words, so that it can be compared with ``limelight.h`` line by line; a
test does that. Names of parameters and the outer ``const`` are left out, and so is the result
where it is a ``lime_status``.
"""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, NamedTuple, Tuple, Type

#: The version of the header that the table was taken from: ``LIME_VERSION``.
HEADER_VERSION = 1000

#: A size that stands for "all there are".
SIZE_MAX = ctypes.c_size_t(-1).value

#: The expiration date of an item that never expires: ``LIME_NEVER``.
NEVER = 2**63 - 1


class OpenOptions(ctypes.Structure):
    """How an index is opened: ``lime_open_options``."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("analyzer", ctypes.c_uint32),
        ("lock_wait", ctypes.c_uint32),
    ]


class LinesOptions(ctypes.Structure):
    """How lines become items: ``lime_lines_options``."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("first_line", ctypes.c_uint64),
        ("map", ctypes.POINTER(ctypes.c_char_p)),
        ("map_count", ctypes.c_size_t),
        ("dates", ctypes.POINTER(ctypes.c_char_p)),
        ("date_count", ctypes.c_size_t),
    ]


class LoadOptions(ctypes.Structure):
    """How a load is done: ``lime_load_options``."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("memory_budget", ctypes.c_uint64),
        ("threads", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("lines", ctypes.POINTER(LinesOptions)),
        ("cancellation", ctypes.c_void_p),
    ]


class WorkOptions(ctypes.Structure):
    """How long work is done: ``lime_work_options``."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("cancellation", ctypes.c_void_p),
    ]


class SearchOptions(ctypes.Structure):
    """How a search is done: ``lime_search_options``."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("offset", ctypes.c_uint64),
        ("domain", ctypes.c_char_p),
        ("domain_length", ctypes.c_size_t),
        ("weights", ctypes.c_void_p),
        ("cancellation", ctypes.c_void_p),
    ]


class RepairOptions(ctypes.Structure):
    """How an index is repaired: ``lime_repair_options``."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("output", ctypes.c_char_p),
        ("cancellation", ctypes.c_void_p),
    ]


#: The structs of options by their C names.
STRUCTURES: Dict[str, Type[ctypes.Structure]] = {
    "lime_open_options": OpenOptions,
    "lime_lines_options": LinesOptions,
    "lime_load_options": LoadOptions,
    "lime_work_options": WorkOptions,
    "lime_search_options": SearchOptions,
    "lime_repair_options": RepairOptions,
}

#: Gives the next piece of a text: ``lime_text_callback``.
TextCallback = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.c_void_p,
)

#: Is told how far a load is: ``lime_progress_callback``.
ProgressCallback = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_double,
    ctypes.c_void_p,
)

#: Numbers, enumerations, texts and callbacks by their C names. Handles are bare addresses, since
#: the library checks them itself; texts that are lent come as addresses, since they hold NULs.
_SCALARS: Dict[str, Any] = {
    "lime_status": ctypes.c_int,
    "lime_analyzer": ctypes.c_int,
    "lime_kind": ctypes.c_int,
    "lime_search_class": ctypes.c_int,
    "lime_durability": ctypes.c_int,
    "lime_receipt_part": ctypes.c_int,
    "lime_refusal_part": ctypes.c_int,
    "lime_stats_part": ctypes.c_int,
    "lime_unit": ctypes.c_int,
    "int": ctypes.c_int,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "char*": ctypes.c_char_p,
    "void*": ctypes.c_void_p,
    "lime_text_callback": TextCallback,
    "lime_progress_callback": ProgressCallback,
}

PROTOTYPES = """
uint32_t lime_version()
char* lime_version_text()
char* lime_capabilities()
char* lime_attributes()
char* lime_status_name(lime_status)
char* lime_last_error()
char* lime_last_error_json()
lime_index_open(char*, lime_open_options*, lime_index**)
lime_index_open_memory(lime_open_options*, lime_index**)
lime_index_close(lime_index*)
lime_index_path(lime_index*, char**, size_t*)
lime_index_analyzer(lime_index*, lime_analyzer*)
lime_index_stores_items(lime_index*, int*)
lime_index_skipped(lime_index*, size_t*, lime_string**)
lime_item_new(lime_item**)
lime_item_parse(char*, size_t, lime_item**)
lime_item_free(lime_item*)
lime_item_clear(lime_item*)
lime_item_set_id(lime_item*, char*, size_t)
lime_item_set_domain(lime_item*, char*, size_t)
lime_item_set_content_type(lime_item*, char*, size_t)
lime_item_set_expiration(lime_item*, int64_t)
lime_item_set_thumbnail(lime_item*, void*, size_t)
lime_item_set_text(lime_item*, char*, size_t, char*, size_t)
lime_item_add_text(lime_item*, char*, size_t, char*, size_t)
lime_item_add_localized(lime_item*, char*, size_t, char*, size_t, char*, size_t)
lime_item_set_number(lime_item*, char*, size_t, double)
lime_item_set_bool(lime_item*, char*, size_t, int)
lime_item_set_date(lime_item*, char*, size_t, int64_t)
lime_item_add_date(lime_item*, char*, size_t, int64_t)
lime_item_set_data(lime_item*, char*, size_t, void*, size_t)
lime_item_add_person(lime_item*, char*, size_t, char*, size_t)
lime_item_add_handle(lime_item*, char*, size_t, char*, size_t)
lime_item_add_entry(lime_item*, char*, size_t, char*, size_t, char*, size_t)
lime_item_remove(lime_item*, char*, size_t)
lime_item_id(lime_item*, char**, size_t*)
lime_item_domain(lime_item*, char**, size_t*)
lime_item_content_type(lime_item*, char**, size_t*)
lime_item_expiration(lime_item*, int64_t*)
lime_item_thumbnail(lime_item*, void**, size_t*)
lime_item_count(lime_item*, size_t*)
lime_item_attribute(lime_item*, size_t, char**, size_t*)
lime_item_value(lime_item*, char*, size_t, lime_kind*, size_t*)
lime_item_text(lime_item*, char*, size_t, size_t, char**, size_t*)
lime_item_label(lime_item*, char*, size_t, size_t, char**, size_t*)
lime_item_number(lime_item*, char*, size_t, double*)
lime_item_bool(lime_item*, char*, size_t, int*)
lime_item_date(lime_item*, char*, size_t, size_t, int64_t*)
lime_item_data(lime_item*, char*, size_t, void**, size_t*)
lime_item_json(lime_item*, char**, size_t*)
lime_item_json_without_thumbnail(lime_item*, char**, size_t*)
lime_batch_new(lime_batch**)
lime_batch_free(lime_batch*)
lime_batch_add(lime_batch*, lime_item*)
lime_batch_count(lime_batch*, size_t*)
lime_batch_clear(lime_batch*)
lime_index_put(lime_index*, lime_batch*, lime_receipt**)
lime_index_put_item(lime_index*, lime_item*, lime_receipt**)
lime_index_put_lines(lime_index*, char*, size_t, lime_lines_options*, lime_receipt**)
lime_index_load(lime_index*, lime_load_options*, lime_text_callback, lime_progress_callback,
    void*, lime_receipt**)
lime_index_load_lines(lime_index*, char*, size_t, lime_load_options*, lime_progress_callback,
    void*, lime_receipt**)
lime_index_delete(lime_index*, char*const*, size_t*, size_t, lime_receipt**)
lime_index_delete_domain(lime_index*, char*, size_t, lime_receipt**)
lime_index_delete_query(lime_index*, lime_query*, lime_work_options*, lime_receipt**)
lime_index_delete_all(lime_index*, lime_receipt**)
lime_index_put_at(lime_index*, lime_batch*, lime_durability, lime_receipt**)
lime_index_put_item_at(lime_index*, lime_item*, lime_durability, lime_receipt**)
lime_index_put_lines_at(lime_index*, char*, size_t, lime_lines_options*, lime_durability,
    lime_receipt**)
lime_index_delete_at(lime_index*, char*const*, size_t*, size_t, lime_durability, lime_receipt**)
lime_index_delete_domain_at(lime_index*, char*, size_t, lime_durability, lime_receipt**)
lime_index_delete_query_at(lime_index*, lime_query*, lime_work_options*, lime_durability,
    lime_receipt**)
lime_index_delete_all_at(lime_index*, lime_durability, lime_receipt**)
lime_index_flush(lime_index*, uint64_t*)
lime_index_durable_generation(lime_index*, uint64_t*)
lime_index_declare(lime_index*, char*, size_t, lime_kind, lime_search_class)
lime_index_commit(lime_index*)
lime_index_wait(lime_index*, uint64_t, uint32_t, lime_work_options*)
lime_index_merge(lime_index*, size_t, lime_work_options*)
lime_receipt_free(lime_receipt*)
lime_receipt_number(lime_receipt*, lime_receipt_part, uint64_t*)
lime_receipt_made(lime_receipt*, size_t, size_t*, char**, size_t*)
lime_receipt_refusal(lime_receipt*, size_t, size_t*, uint64_t*)
lime_receipt_refusal_text(lime_receipt*, size_t, lime_refusal_part, char**, size_t*)
lime_receipt_json(lime_receipt*, char**, size_t*)
lime_query_free(lime_query*)
lime_query_term(char*, size_t, char*, size_t, lime_query**)
lime_query_prefix(char*, size_t, char*, size_t, lime_query**)
lime_query_phrase(char*, size_t, char*, size_t, lime_query**)
lime_query_fuzzy(char*, size_t, uint32_t, char*, size_t, lime_query**)
lime_query_all(lime_query*const*, size_t, lime_query**)
lime_query_any(lime_query*const*, size_t, lime_query**)
lime_query_boolean(lime_query*const*, size_t, lime_query*const*, size_t, lime_query*const*,
    size_t, lime_query**)
lime_query_not(lime_query*, lime_query**)
lime_query_numbers(char*, size_t, double, double, uint32_t, lime_query**)
lime_query_dates(char*, size_t, int64_t, int64_t, uint32_t, lime_query**)
lime_query_texts(char*, size_t, char*, size_t, char*, size_t, uint32_t, lime_query**)
lime_query_bool(char*, size_t, int, lime_query**)
lime_query_has(char*, size_t, lime_query**)
lime_query_domain(char*, size_t, lime_query**)
lime_index_query(lime_index*, char*, size_t, uint32_t, lime_query**)
lime_query_everything(lime_query**)
lime_query_nothing(lime_query**)
lime_weights_new(lime_weights**)
lime_weights_free(lime_weights*)
lime_weights_set(lime_weights*, char*, size_t, float)
lime_weights_clear(lime_weights*)
lime_cancellation_new(lime_cancellation**)
lime_cancellation_free(lime_cancellation*)
lime_cancellation_cancel(lime_cancellation*)
lime_cancellation_state(lime_cancellation*, int*)
lime_index_search(lime_index*, char*, size_t, size_t, lime_search_options*, lime_results**)
lime_index_search_query(lime_index*, lime_query*, size_t, lime_search_options*, lime_results**)
lime_index_count_text(lime_index*, char*, size_t, lime_search_options*, uint64_t*)
lime_index_count_query(lime_index*, lime_query*, lime_search_options*, uint64_t*)
lime_results_free(lime_results*)
lime_results_count(lime_results*, size_t*)
lime_results_total(lime_results*, uint64_t*, int*)
lime_results_nanoseconds(lime_results*, uint64_t*)
lime_results_id(lime_results*, size_t, char**, size_t*)
lime_results_domain(lime_results*, size_t, char**, size_t*)
lime_results_score(lime_results*, size_t, float*)
lime_results_scores(lime_results*, float**, size_t*)
lime_results_ids(lime_results*, lime_strings**)
lime_results_item(lime_results*, size_t, lime_item**)
lime_results_attributes(lime_results*, size_t, char**, size_t*)
lime_results_highlights(lime_results*, size_t, lime_unit, lime_highlights**)
lime_results_json(lime_results*, size_t, size_t, uint32_t, lime_unit, lime_string**)
lime_highlights_free(lime_highlights*)
lime_highlights_count(lime_highlights*, size_t*)
lime_highlights_get(lime_highlights*, size_t, char**, size_t*, size_t*, uint64_t**, size_t*)
lime_index_get(lime_index*, char*, size_t, lime_item**)
lime_index_contains(lime_index*, char*, size_t, int*)
lime_index_count(lime_index*, uint64_t*)
lime_index_ids(lime_index*, char*, size_t, char*, size_t, size_t, lime_strings**)
lime_index_stats(lime_index*, lime_stats**)
lime_stats_free(lime_stats*)
lime_stats_number(lime_stats*, lime_stats_part, uint64_t*)
lime_stats_json(lime_stats*, char**, size_t*)
lime_index_verify(lime_index*, lime_work_options*, size_t*, lime_string**)
lime_verify(char*, lime_work_options*, size_t*, lime_string**)
lime_repair(char*, lime_repair_options*, size_t*, lime_string**)
lime_string_free(lime_string*)
lime_string_data(lime_string*, char**, size_t*)
lime_strings_free(lime_strings*)
lime_strings_count(lime_strings*, size_t*)
lime_strings_get(lime_strings*, size_t, char**, size_t*)
lime_strings_data(lime_strings*, char**, uint64_t**, size_t*)
"""


class Signature(NamedTuple):
    """A C function: its name, the type that it returns, those that it takes."""

    name: str
    result: str
    parameters: Tuple[str, ...]

    def bind(self, function: Any) -> None:
        """Tells ctypes the types of the function."""
        function.restype = ctype(self.result)
        function.argtypes = [ctype(parameter) for parameter in self.parameters]


def signatures() -> List[Signature]:
    """The table, read."""
    rows: List[Signature] = []
    for row in PROTOTYPES.replace("\n    ", " ").split("\n"):
        head, _, rest = row.partition("(")
        if head:
            result, _, name = head.rpartition(" ")
            parameters = rest.rstrip(")")
            rows.append(
                Signature(
                    name,
                    result or "lime_status",
                    tuple(parameters.split(", ")) if parameters else (),
                )
            )
    return rows


_pointer: Callable[[Any], Any] = ctypes.POINTER


def ctype(name: str) -> Any:
    """The type that ctypes has for one of C's."""
    known = _SCALARS.get(name)
    if known is not None:
        return known
    target = name[:-1]
    if target in STRUCTURES:
        return ctypes.POINTER(STRUCTURES[target])
    if target == "char*const":
        return ctypes.POINTER(ctypes.c_char_p)
    if target.endswith("*") or target.endswith("*const"):
        return ctypes.POINTER(ctypes.c_void_p)
    if target in _SCALARS:
        return _pointer(_SCALARS[target])
    return ctypes.c_void_p
