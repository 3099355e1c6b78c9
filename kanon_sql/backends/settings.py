"""Settings of the engines that users can choose: each changes the use of memory, disk and processors, never a result.

A value is checked by its kind before it is used, and its checked form is plain enough for the text of a statement.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError

_UNITS = {"kb": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40}
_SIZE = re.compile(r"(\d{1,15}) ?(kb|mb|gb|tb)", re.IGNORECASE)
_SIZE_OF_DUCKDB = re.compile(r"\d{1,15}(\.\d{1,3})? ?([kmgt]i?b|%)", re.IGNORECASE)


@dataclass(frozen=True)
class Kind:
    """A kind of values: how messages describe it, and the checked form of a value, or None for a value of another kind."""

    expected: str
    checked: Callable[[object], str | None]


def _whole(least: int, most: int) -> Kind:
    """Return the kind of whole numbers between two limits."""

    def checked(value: object) -> str | None:
        text = "" if isinstance(value, bool) else str(value)
        return str(int(text)) if re.fullmatch(r"-?\d{1,15}", text) and least <= int(text) <= most else None

    return Kind(f"a whole number from {least:,} to {most:,}", checked)


def _bytes(least: int = 0) -> Kind:
    """Return the kind of sizes that the engine reads in bytes."""

    def checked(value: object) -> str | None:
        text = "" if isinstance(value, bool) else str(value)
        size = _SIZE.fullmatch(text)
        number = int(size[1]) * _UNITS[size[2].lower()] if size else int(text) if re.fullmatch(r"\d{1,15}", text) else -1
        return str(number) if least <= number < 2**50 else None

    return Kind(f"a size such as 512MB{f', at least {least:,} bytes' if least else ''}", checked)


def _choice(*words: str) -> Kind:
    """Return the kind of a few words."""
    return Kind(" or ".join(words), lambda value: str(value).lower() if str(value).lower() in words else None)


def _switched(value: object) -> str | None:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value).lower() if str(value).lower() in ("on", "off") else None


def _text_of_size(value: object) -> str | None:
    size = _SIZE.fullmatch(str(value))
    return f"{int(size[1]) * _UNITS[size[2].lower()] // 1024}kB" if size else None


def _existing_folder(value: object) -> str | None:
    folder = Path(str(value))
    return str(folder) if str(value) and folder.is_dir() and os.access(folder, os.W_OK) else None


_SWITCH = Kind("on or off", _switched)
_NUMBER = Kind("a number", lambda value: str(value) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", str(value)) else None)
_WITH_UNIT = Kind("a size with a unit, such as 512MB", _text_of_size)
_OF_DUCKDB = Kind("a size such as 4GB or 80%", lambda value: str(value) if _SIZE_OF_DUCKDB.fullmatch(str(value)) else None)
_FOLDER = Kind("an existing folder that can be written to", _existing_folder)

DUCKDB = {
    "memory_limit": _OF_DUCKDB,
    "threads": _whole(1, 4096),
    "temp_directory": _FOLDER,
    "max_temp_directory_size": _OF_DUCKDB,
    "checkpoint_threshold": _OF_DUCKDB,
}
POSTGRESQL = {
    **dict.fromkeys(("work_mem", "maintenance_work_mem", "effective_cache_size"), _WITH_UNIT),
    **dict.fromkeys(("hash_mem_multiplier", "seq_page_cost", "random_page_cost"), _NUMBER),
    **dict.fromkeys(("parallel_setup_cost", "parallel_tuple_cost", "cpu_tuple_cost", "jit_above_cost"), _NUMBER),
    **dict.fromkeys(("max_parallel_workers_per_gather", "max_parallel_workers"), _whole(0, 1024)),
    **dict.fromkeys(("max_parallel_maintenance_workers", "effective_io_concurrency"), _whole(0, 1000)),
    "min_parallel_table_scan_size": _WITH_UNIT,
    **dict.fromkeys(("jit", "enable_nestloop", "enable_mergejoin", "enable_hashjoin", "enable_hashagg"), _SWITCH),
}
MARIADB = {
    **dict.fromkeys(("tmp_table_size", "max_heap_table_size"), _bytes(16_384)),
    "sort_buffer_size": _bytes(2**21),  # sorting long rows fails below
    **dict.fromkeys(("join_buffer_size", "read_buffer_size", "read_rnd_buffer_size", "mrr_buffer_size"), _bytes(8_192)),
    "join_buffer_space_limit": _bytes(8_192),
    "join_cache_level": _whole(0, 8),
    "optimizer_search_depth": _whole(0, 62),
}
SQLITE = {
    "cache_size": _whole(-(2**31), 2**31 - 1),
    "cache_spill": _SWITCH,
    "mmap_size": _bytes(),
    "threads": _whole(0, 64),
    "temp_store": _choice("default", "file", "memory"),
}


def check_settings(title: str, known: Mapping[str, Kind], settings: Mapping[str, object], where: str) -> dict[str, str]:
    """Return the checked form of settings, or raise an error that says where the first wrong one is."""
    checked = {}
    for name, value in settings.items():
        if name not in known:
            raise RequestError(
                f"{where}: {name!r}{did_you_mean(str(name), known)} is not a setting of {title} that can be chosen. "
                f"Use one of: {', '.join(sorted(known))}"
            )
        found = known[name].checked(value)
        if found is None:
            raise RequestError(f"{where}: {title} does not accept the value of {name}. Set {known[name].expected}")
        checked[name] = found
    return checked
