"""The numbers that the paper prints in its tables, to stand beside ours; its other results are figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple


class Published(NamedTuple):
    """A mean over the paper's ten runs, with its standard deviation."""

    mean: float
    sd: float


# (task, measure, data set) -> method. For same-author verification the paper prints deviations in percentage points (.756, 1.689).
PRINTED: Mapping[tuple[str, str, str], Mapping[str, Published]] = {
    ("sav-closed", "accuracy", "arXiv"): {
        "DV-Bin": Published(0.756, 0.01689),
        "DV-2xAA": Published(0.803, 0.02545),
        "STD-CosDist": Published(0.629, 0.02241),
        "STD-2xAA": Published(0.646, 0.01430),
    },
    ("sav-open", "accuracy", "arXiv"): {
        "DV-Bin": Published(0.663, 0.01966),
        "STD-CosDist": Published(0.661, 0.01891),
        "Impostors": Published(0.642, 0.02473),
    },
    ("aa", "macro_f1", "arXiv"): {
        "Lazy AA": Published(0.643, 0.244),
        "Stacked AA": Published(0.596, 0.237),
        "STD-AA": Published(0.482, 0.214),
        "STD-Bin": Published(0.422, 0.211),
    },
    ("aa", "micro_f1", "arXiv"): {
        "Lazy AA": Published(0.679, 0.224),
        "Stacked AA": Published(0.629, 0.219),
        "STD-AA": Published(0.508, 0.207),
    },
    ("native-av", "macro_f1", "IMDB62"): {
        "Lazy AV": Published(0.287, 0.044),
        "Stacked AV": Published(0.664, 0.062),
        "STD-Bin": Published(0.683, 0.045),
    },
    ("native-av", "macro_f1", "PAN2011"): {
        "Lazy AV": Published(0.166, 0.019),
        "Stacked AV": Published(0.278, 0.056),
        "STD-Bin": Published(0.285, 0.028),
    },
    ("native-av", "macro_f1", "Victorian"): {
        "Lazy AV": Published(0.205, 0.010),
        "Stacked AV": Published(0.619, 0.044),
        "STD-Bin": Published(0.639, 0.042),
    },
    ("native-av", "macro_f1", "arXiv"): {
        "Lazy AV": Published(0.234, 0.037),
        "Stacked AV": Published(0.365, 0.075),
        "STD-Bin": Published(0.432, 0.097),
    },
}

# What must be known about the paper's deviations, by task.
DEVIATIONS: Mapping[str, str] = {
    "aa": "The paper's deviations are too large to be over its runs, as ours are; it does not say over what they were taken."
}

# data set -> method -> seconds of training and of testing, on 12 cores, m = 20, q = 50 (arXiv: the whole set).
SECONDS: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "IMDB62": {
        "DV-Bin": (438.3, 1.4),
        "STD-CosDist": (6.7, 0.3),
        "Impostors": (271.9, 625.1),
        "Lazy AA": (460.2, 955.5),
        "Stacked AA": (480.3, 942.8),
        "STD-AA": (156.0, 0.2),
    },
    "PAN2011": {
        "DV-Bin": (173.7, 0.7),
        "STD-CosDist": (3.5, 0.8),
        "Impostors": (247.6, 455.7),
        "Lazy AA": (228.3, 61.8),
        "Stacked AA": (267.3, 61.2),
        "STD-AA": (157.6, 0.1),
    },
    "Victorian": {
        "DV-Bin": (870.2, 2.5),
        "STD-CosDist": (11.9, 0.3),
        "Impostors": (283.2, 651.3),
        "Lazy AA": (917.4, 1232.6),
        "Stacked AA": (955.4, 1235.9),
        "STD-AA": (202.9, 0.5),
    },
    "arXiv": {
        "DV-Bin": (49.8, 0.3),
        "STD-CosDist": (0.7, 0.2),
        "Impostors": (225.2, 224.6),
        "Lazy AA": (145.0, 66.1),
        "Stacked AA": (250.4, 66.5),
        "STD-AA": (483.8, 0.1),
    },
}

# data set -> |L| training documents, |L_P| training pairs, |U| test documents of the runs whose seconds these are; whole sets by task.
SIZES: Mapping[str, tuple[int, int, int]] = {
    "IMDB62": (1000, 49_000, 6000),
    "PAN2011": (1000, 49_000, 463),
    "Victorian": (1000, 49_000, 7937),
    "arXiv-SAV": (518, 5784, 255),
    "arXiv-AA": (1028, 11_106, 441),
}

# The m and q of the printed tables, where our own results stand beside them (0: all); arXiv: any.
PLACES: Mapping[str, tuple[int, int]] = {"native-av": (10, 50)}


def printed(task: str, measure: str, data: str, m: int, q: int, method: str, profile: str) -> Published | None:
    """What the paper has in the same place, or None: only its whole-set tables are printed."""
    if profile != "paper" or (data == "arXiv" and q != 0):
        return None
    if data != "arXiv" and PLACES.get(task) != (m, q):
        return None
    return PRINTED.get((task, measure, data), {}).get(method)


def printed_seconds(data: str, m: int, q: int, method: str) -> tuple[float, float] | None:
    """The paper's seconds of training and testing for runs of this size, or None."""
    return SECONDS.get(data, {}).get(method) if _timed(data, m, q) else None


def printed_sizes(data: str, m: int, q: int, tasks: Collection[str]) -> tuple[int, int, int] | None:
    """The paper's |L|, |L_P| and |U| for runs of this size, or None."""
    if not _timed(data, m, q) or "native-av" in tasks:
        return None
    return SIZES.get(f"arXiv-{'AA' if 'aa' in tasks else 'SAV'}" if data == "arXiv" else data)


def _timed(data: str, m: int, q: int) -> bool:
    """Whether the paper timed runs of this size."""
    return (m, q) == (20, 50) or (data == "arXiv" and not q)
