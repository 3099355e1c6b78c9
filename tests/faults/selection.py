"""The selection of faults and their counts, in a separate module because pytest imports a conftest under another name."""

from __future__ import annotations

import os
from collections import Counter

ALL_FAULTS = os.environ.get("KANON_FAULTS") == "all"
PARTS = 5 if ALL_FAULTS else 1  # odd, so each part has points before and after statements
COUNTS: Counter[tuple[str, str]] = Counter()
