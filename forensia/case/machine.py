"""What the last digits of a result can depend on besides the program: the libraries, the kind of processor, the system."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "spacy", "thinc")


@cache
def machine() -> Mapping[str, str]:
    """Versions and kinds by name, without anything that tells one computer from another of its kind."""
    from threadpoolctl import threadpool_info

    kernels = {str(each.get("architecture", "")) for each in threadpool_info() if each["internal_api"] == "openblas"}
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "kernels": " ".join(sorted(kernels - {""})),
        "python": platform.python_version(),
        **{name: _version(name) for name in _LIBRARIES},
    }


def told_apart(then: object, now: Mapping[str, str]) -> list[str]:
    """Where a run was made on something else than there is now, in words; a run that does not say may have been made anywhere."""
    if not isinstance(then, dict):
        return ["it does not say where it was made"]
    return [
        f"{name} {then.get(name, 'unknown') or 'unknown'} then, {now.get(name, 'unknown') or 'unknown'} now"
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # a frozen bundle need not know
        return ""
