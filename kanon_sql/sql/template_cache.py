"""Keeps compiled templates next to the templates, where and when Python keeps compiled modules."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

from jinja2.bccache import Bucket, FileSystemBytecodeCache


class TemplateCache(FileSystemBytecodeCache):
    """Compiled templates by the hash of their text; compiling them would take longer than all statements of a small run."""

    def __init__(self, templates: Path) -> None:
        super().__init__(str(Path(cache_from_source(str(templates / "templates.py"))).parent), "%s.template")

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # the template is compiled
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):  # a folder that cannot be written; the next process compiles again
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)
