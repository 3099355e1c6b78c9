"""Names that a database allows and that careless quoting breaks."""

from __future__ import annotations

NAMES = {
    "mixed case": "MixedCase",
    "spaces": "two  words",
    "leading space": " led",
    "dot": "a.b",
    "double quote": 'a"b""c"',
    "backtick": "a`b``c`",
    "single quote": "it's 'so'",
    "percent": "100%",
    "percent s": "%s %d %%s",
    "named percent": "%(x)s",
    "colon": ":x ::text",
    "question mark": "what? ?1 $1",
    "backslash": "a\\b\\",
    "backslash quote": "a\\'b\\\"c",
    "comments": "a--b /* c */ # d",
    "injection": "x; drop table bystander; --",
    "braces": "{{ x }} {% raw %} {x}",
    "at": "@x @@y",
    "unicode": "größe_日本",
    "combining": "e\u0301",
    "newline": "two\nlines\tand a tab",
    "brackets": "[x](y)",
}
RESERVED = ["select", "order", "group", "table", "user", "from", "null", "primary", "Index", "rank", "row", "value", "key", "as"]
OWN = [
    "q1_0", "v1", "q1", "value", "value_1", "key_1", "row_count", "class_size", "suppressed", "label_1", "label", "level", "part", "part_0",
    "part_1", "t", "h_1", "l_1", "carried_1", "carried", "class", "classes", "counted", "sampled", "sample", "c_1", "position", "listed",
    "loss_1", "combination", "failing", "sizes", "__kanon_x",
]  # fmt: skip
LONGEST = {"duckdb": "n" * 300, "sqlite": "n" * 300, "postgresql": "é" * 31 + "n", "mariadb": "é" * 64}


def written(*parts: str) -> str:
    """Return a name as a policy writes it."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in parts)
