"""The selection of faults and their counts, in a separate module because pytest imports a conftest under another name."""

from __future__ import annotations

import os
from collections import Counter

WHOLE = os.environ.get("KANON_FAULTS") == "all"
PARTS = 5 if WHOLE else 1  # odd, so that each part has points before and points after statements
COUNTS: Counter[tuple[str, str]] = Counter()
