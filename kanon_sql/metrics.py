"""The table of metrics: each is one template over the classes of a recoding."""

from __future__ import annotations

METRICS: dict[str, str] = {
    "dm": "metrics/dm",
    "c_avg": "metrics/c_avg",
    "geniloss": "metrics/geniloss",
}
