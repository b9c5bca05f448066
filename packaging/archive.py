"""The archive for Linux: the bundle, what puts it into the menu, packed so that the same files give the same bytes."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

README = """\
Forensia: who wrote this text?

  ./install.sh              put it into your menu (--system: into everybody's, as root)
  ./forensia                or start it from here, without installing anything
  ./forensia --self-test    see whether everything works on this machine
  ./install.sh --uninstall  take it away again

Nothing else is needed: no Python, no network. LICENSES.txt says what Forensia is made with.
"""


def add_desktop_files(folder: Path, linux: Path, icons: Path) -> None:
    """Beside the program: its menu entry, its file type, its icons, and the names by which AppImage tools know an AppDir."""
    shutil.copy(linux / "install.sh", folder / "install.sh")
    shutil.copy(linux / "forensia.desktop", folder / "forensia.desktop")
    _placed(linux / "forensia-mime.xml", folder / "share" / "mime" / "packages" / "forensia.xml")
    theme = folder / "share" / "icons" / "hicolor"
    for size in sorted(icons.glob("*x*")):
        _placed(size / "forensia.png", theme / size.name / "apps" / "forensia.png")
        _placed(size / "forensia-case.png", theme / size.name / "mimetypes" / "application-x-forensia-case.png")
    _placed(icons / "forensia.svg", theme / "scalable" / "apps" / "forensia.svg")
    _placed(icons / "forensia-case.svg", theme / "scalable" / "mimetypes" / "application-x-forensia-case.svg")
    shutil.copy(icons / "256x256" / "forensia.png", folder / "forensia.png")
    for name, target in (("AppRun", "forensia"), (".DirIcon", "forensia.png")):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)
    (folder / "README.txt").write_text(README, encoding="utf-8")


def pack(folder: Path, archive: Path, name: str, moment: int) -> Path:
    """A .tar.xz of `folder`, which is called `name` in it; owners, dates and the order of files are always the same."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = moment
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with tarfile.open(archive, "w:xz", format=tarfile.GNU_FORMAT) as made:
        for path in [folder, *sorted(folder.rglob("*"))]:
            inside = name if path == folder else f"{name}/{path.relative_to(folder).as_posix()}"
            made.add(path, inside, recursive=False, filter=plain)
    return archive


def _placed(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
