"""The numbers that the paper prints in its tables, to stand beside ours; its other results are figures."""

from __future__ import annotations

from collections.abc import Mapping

# (task, measure, data set) -> method -> mean over the paper's ten runs.
PRINTED: Mapping[tuple[str, str, str], Mapping[str, float]] = {
    ("sav-closed", "accuracy", "arXiv"): {
        "DV-Bin": 0.756,
        "DV-2xAA": 0.803,
        "STD-CosDist": 0.629,
        "STD-2xAA": 0.646,
    },
    ("sav-open", "accuracy", "arXiv"): {"DV-Bin": 0.663, "STD-CosDist": 0.661, "Impostors": 0.642},
    ("aa", "macro_f1", "arXiv"): {"Lazy AA": 0.643, "Stacked AA": 0.596, "STD-AA": 0.482, "STD-Bin": 0.422},
    ("aa", "micro_f1", "arXiv"): {"Lazy AA": 0.679, "Stacked AA": 0.629, "STD-AA": 0.508},
    ("native-av", "macro_f1", "IMDB62"): {"Lazy AV": 0.287, "Stacked AV": 0.664, "STD-Bin": 0.683},
    ("native-av", "macro_f1", "PAN2011"): {"Lazy AV": 0.166, "Stacked AV": 0.278, "STD-Bin": 0.285},
    ("native-av", "macro_f1", "Victorian"): {"Lazy AV": 0.205, "Stacked AV": 0.619, "STD-Bin": 0.639},
    ("native-av", "macro_f1", "arXiv"): {"Lazy AV": 0.234, "Stacked AV": 0.365, "STD-Bin": 0.432},
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

# The m and q of the printed tables, where our own results stand beside them (0: all); arXiv: any.
PLACES: Mapping[str, tuple[int, int]] = {"native-av": (10, 50)}


def printed(task: str, measure: str, data: str, m: int, q: int, method: str, profile: str) -> float | None:
    """What the paper has in the same place, or None: only its whole-set tables are printed."""
    if profile != "paper" or (data == "arXiv" and q != 0):
        return None
    if data != "arXiv" and PLACES.get(task) != (m, q):
        return None
    return PRINTED.get((task, measure, data), {}).get(method)
