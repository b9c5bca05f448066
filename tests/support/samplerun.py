"""The sample case from start to end, by the commands a person gives, and everything they write in a form that can be compared."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from forensia import paths
from support.golden import masked, masked_json, shortened
from support.pdf import pages_of
from support.places import ROOT

DATE = "2026-11-18T12:00:00Z"
AUTHORS, TEXTS = 5, 5  # of the small corpus that `train` is tried with
KEPT = {"HOME", "PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP", "LD_LIBRARY_PATH"}


def run_sample(folder: Path) -> None:
    """Run demo, train, analyse, validate, compare and report; leave `now/` with what is compared, and the case of the demo."""
    now = folder / "now"
    now.mkdir()
    sample = paths.sample_case()
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(sample.rglob("*.txt"))]
    places = {str(folder): "<folder>", str(folder.resolve()): "<folder>"}

    def forensia(name: str, *arguments: object) -> str:
        """Run a command; keep what it tells on the terminal, and return what it writes to standard output."""
        environment = {key: value for key, value in os.environ.items() if key in KEPT}
        environment |= {"FORENSIA_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "forensia", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, done.stderr
        (now / f"{name}.txt").write_text(masked(done.stderr, hashes, places), "utf-8")
        return done.stdout

    def keep(name: str, value: Any) -> None:
        text = json.dumps(masked_json(value, hashes), indent=1, ensure_ascii=False)
        (now / f"{name}.json").write_text(text + "\n", "utf-8")

    forensia("demo", "demo", "--out", folder / "demo")
    keep("results", json.loads((folder / "demo" / "results.json").read_text("utf-8")))
    case = folder / "demo" / "sample.forensia"
    keep("validation", json.loads(forensia("validate", "validate", case, "--json", "-")))
    embedded = json.loads(
        forensia("report-command", "report", case, "-o", folder / "report.pdf", "--date", DATE, "--json", "-")
    )
    keep("report", {key: value for key, value in embedded.items() if key not in ("documents", "environment")})
    pages = pages_of((folder / "report.pdf").read_bytes())
    text = "\n".join(f"== page {number} ==\n{page}" for number, page in enumerate(pages, start=1))
    (now / "report.txt").write_text(masked(text, hashes) + "\n", "utf-8")

    copy = Path(shutil.copy(case, folder / "copy.forensia"))
    one, other = (sample / "disputed" / f"anonymous-{number}.txt" for number in (1, 2))
    keep("analyse", shortened(json.loads(forensia("analyse", "analyse", copy, one, other, "--json", "-"))))
    keep("compare", shortened(json.loads(forensia("compare", "compare", copy, one, other, "--json", "-"))))
    small = small_corpus(folder / "small")
    keep("train", json.loads(forensia("train", "train", small, "-o", "small.forensia", "--quick", "--json", "-")))


def small_corpus(folder: Path) -> Path:
    """A few authors of the sample, and files that are worth a word: an empty one, a short one and a copy."""
    known = paths.sample_case() / "known"
    for author in sorted(each for each in known.iterdir() if each.is_dir())[:AUTHORS]:
        for file in sorted(author.rglob("*.txt"))[:TEXTS]:
            place = folder / file.relative_to(known)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    author = folder / "Adela Marsh" / "letters"
    (author / "empty.txt").write_text("", "utf-8")
    (author / "short.txt").write_text("Thank you for the plums. I shall return the basket on Friday.\n", "utf-8")
    shutil.copyfile(author / "seawall.txt", author / "seawall again.txt")
    return folder
