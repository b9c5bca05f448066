"""What goes into the bundle and what stays out, and why. Used by forensia.spec; only the standard library, so that it can be tested."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import launch

IDENTIFIER = "org.forensia.Forensia"
CASE_TYPE = "org.forensia.case"

# Imported by name at run time, where no analysis can see it.
HIDDEN = (
    "spacy.lang.en", "sklearn.utils._cython_blas", "PySide6.QtSvg", "pyi_rth_multiprocessing",
    "fpdf.data.color_profiles",  # the colours of PDF/A
)  # fmt: skip

EXCLUDED = [
    # Other windows, notebooks, test tools, package tools: nothing of ours uses them. ("wheel" must not be named: PyInstaller wants to
    # replace it by the copy inside setuptools and stops when it may not; without setuptools neither comes in.)
    "tkinter", "_tkinter", "IPython", "ipykernel", "jupyter_client", "notebook", "pytest", "_pytest", "hypothesis",
    "setuptools", "pip", "pkg_resources", "ensurepip", "lib2to3", "pydoc_data", "idlelib", "turtledemo",
    # GPL libraries come with these; the program has no prompt and no such databases.
    "readline", "_gdbm", "_curses", "_curses_panel",
    # Other arrays, other machines: optional everywhere, absent from the lock.
    "torch", "tensorflow", "cupy", "jax", "mxnet", "pandas", "polars", "pyarrow", "dask", "distributed", "numba", "sympy", "psutil",
    # Qt that the window does not use.
    "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtQuickWidgets", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets", "PySide6.QtSql",
    "PySide6.QtTest", "PySide6.QtDesigner", "PySide6.QtHelp", "PySide6.QtUiTools", "PySide6.QtXml", "PySide6.QtPrintSupport",
    "PySide6.QtConcurrent", "PySide6.QtDBus", "PySide6.QtSvgWidgets", "PySide6.scripts",
    # Picture formats and text drawing of Pillow: reports hold PNG and drawings only. A format for matrices that scipy loads when asked.
    "PIL._avif", "PIL._webp", "PIL._imagingft", "PIL._imagingtk", "scipy.io._fast_matrix_market._fmm_core",
    # Tests and tools of the libraries. (Not numpy.f2py: scipy takes everything that numpy offers by name.)
    "numpy.tests", "matplotlib.tests", "matplotlib.testing", "matplotlib.backends.backend_qt",
    "matplotlib.backends.backend_qtagg", "spacy.tests", "thinc.tests", "nltk.test", "sklearn.datasets.tests", "mpl_toolkits.tests",
]  # fmt: skip

# Parts of the bundle by their path in it; on Windows, PySide6 has no folder "Qt" in between. What matches KEPT stays even if a later
# pattern would drop it.
KEPT = re.compile(
    r"PySide6/(Qt/)?plugins/(platforms/(lib)?q(xcb|offscreen|minimal|wayland[a-z-]*|windows|cocoa)\b|xcbglintegrations/)"
)
DROPPED = re.compile(
    "|".join(
        (
            # See FALLBACK.
            r"^(libgcc_s|libstdc\+\+)\.so",
            # Qt: translations (the window's own languages bring theirs), plugins and libraries that only other modules need.
            r"PySide6/(Qt/)?translations/",
            r"PySide6/(Qt/)?plugins/(platforms|generic|egldeviceintegrations|networkinformation|tls|qmltooling|virtualkeyboard|sqldrivers)/",
            r"PySide6/(Qt/)?plugins/platformthemes/\w*gtk3",  # half of GTK, for a look that we do not use
            r"PySide6/(Qt/)?plugins/platforminputcontexts/\w*virtualkeyboard",
            r"PySide6/(Qt/)?plugins/imageformats/(?!\w*(svg|ico|jpeg|gif|icns))",
            r"PySide6/(Qt/)?(qml|metatypes|modules|libexec|resources)/",
            # Samples and tests of the libraries.
            r"matplotlib/mpl-data/(sample_data|plot_directive|kpsewhich)",
            r"matplotlib/mpl-data/fonts/(afm|pdfcorefonts)/",
            r"matplotlib/mpl-data/images/",
            r"sklearn/datasets/(data|images|descr)/",
            r"(^|/)(tests?|testing)/(?!__init__)",
            r"nltk_data/",
            # For compilers.
            r"\.(pyx|pxd|pxi|c|cpp|h|hh|pyi|f|f90|lib|a)$",
            r"/(include|src|cmake|pkgconfig)/",
            # Who installed it, and from where: of no use here, and different on each machine.
            r"\.dist-info/(RECORD|INSTALLER|REQUESTED|direct_url\.json|WHEEL)$",
        )
    )
)

# Modules that PyInstaller adds because they could be asked for by name. Colours for source code in some 300 languages: spaCy's
# command line brings them, and nothing here shows source code. (All languages of spaCy stay: an analyst may bring a model.)
UNASKED = re.compile(
    r"^pygments\.(lexers\.(?!_mapping$|special$|python$)|styles\.(?!_mapping$|default$)|formatters\.(?!_mapping$))"
)

# PyInstaller's own preparations that ours does without: the first loads half of the libraries at every start, the second makes
# matplotlib forget at every start which fonts there are, the third is for a package tool that is not in the bundle. The fourth loads
# Qt at every start, also for commands and child processes, and leaves QT_PLUGIN_PATH to the programs that we start; PySide6 from a
# wheel knows by itself where its plugins are. The fifth is for children of multiprocessing; entry.py loads it when it may be one.
# Where this could not be tried, these two stay.
UNPREPARED = frozenset(("pyi_rth_nltk", "pyi_rth_mplconfig", "pyi_rth_setuptools")) | (
    {"pyi_rth_pyside6", "pyi_rth_multiprocessing"} if sys.platform.startswith("linux") else set()
)

# Python and plain extension modules full of debugging information, by the first part of their place. Nothing else may be stripped:
# OpenBLAS, PySide6 and shiboken break, and so may whatever brings libraries of its own.
STRIPPED = (
    "libpython3.11.so.1.0", "python3.11", "spacy", "thinc", "srsly", "cymem", "preshed", "murmurhash", "blis", "fontTools", "regex",
    "kiwisolver",
)  # fmt: skip

# Libraries that must be the system's own wherever it has them, because its graphics drivers are made for those. A system without any
# graphics of its own (a server that is looked at from elsewhere) may lack them; before_qt.py falls back on these copies then, in this
# order: each may need those before it.
FALLBACK = (
    "libgcc_s.so.1", "libstdc++.so.6",
    "libxcb.so.1", "libGLdispatch.so.0", "libGLX.so.0", "libOpenGL.so.0", "libGL.so.1", "libEGL.so.1",
)  # fmt: skip


def wanted(place: str, languages: frozenset[str] = frozenset()) -> bool:
    """Whether a file belongs into the bundle, by its place in it; Qt's own words come in the languages of ours."""
    path = place.replace("\\", "/")
    words = re.search(r"PySide6/(?:Qt/)?translations/qtbase_(\w+)\.qm$", path)
    if words:
        return words[1] in languages
    return bool(KEPT.search(path)) or not DROPPED.search(path)


def languages(folder: Path) -> frozenset[str]:
    """The languages into which the window is translated, by their files among the resources."""
    return frozenset(file.stem.removeprefix("forensia_") for file in folder.glob("translations/forensia_*.qm"))


def resources(folder: Path) -> list[tuple[str, str]]:
    """Our own resources, file by file, so that no cache or backup slips in."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    chosen = (path for path in files if not path.name.startswith(".") and not path.name.endswith("~"))
    return [(str(path), (Path("resources") / path.relative_to(folder).parent).as_posix()) for path in chosen]


def needed(entries: list[Any]) -> list[Any]:
    """The entries without libraries that nothing in the bundle is linked with any more, because their user was dropped."""
    if not sys.platform.startswith("linux") or not shutil.which("objdump"):
        return entries
    libraries = {Path(place).name: (place, source) for place, source, _ in entries if _is_library(place)}
    waiting = [source for place, source, _ in entries if not _is_library(place) or "libpython" in place]
    kept = {place for place, _, _ in entries if not _is_library(place) or "libpython" in place}
    while waiting:
        told = subprocess.run(["objdump", "-p", waiting.pop()], capture_output=True, text=True, check=False).stdout
        for name in re.findall(r"^\s+NEEDED\s+(\S+)", told, re.MULTILINE):
            place, source = libraries.get(name, ("", ""))
            if place and place not in kept:
                kept.add(place)
                waiting.append(source)
    return [entry for entry in entries if entry[0] in kept]


def without_loose_ends(entries: list[Any], places: set[str]) -> list[Any]:
    """The entries without links to files that were left out; a link may point to a folder, as in the frameworks of macOS."""

    def leads_somewhere(place: str, target: str) -> bool:
        end = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
        return end in places or any(other.startswith(f"{end}/") for other in places)

    return [entry for entry in entries if entry[2] != "SYMLINK" or leads_somewhere(entry[0], entry[1])]


def _is_library(place: str) -> bool:
    """A library for others to link with: of the system, at the top of the bundle, or Qt's."""
    folder = place.rpartition("/")[0]
    return folder in ("", "PySide6/Qt/lib") and re.match(r"lib.*\.so", Path(place).name) is not None


def stripped(entries: list[Any], work: Path) -> list[Any]:
    """The same entries, with copies without debugging information in place of those that may be stripped."""
    tool = shutil.which("strip")
    if not sys.platform.startswith("linux") or tool is None:
        return entries
    made = []
    for place, source, kind in entries:
        if place.split("/")[0] in STRIPPED and ".so" in place:
            copy = work / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
            subprocess.run([tool, "--strip-debug", str(copy)], check=True)
            source = str(copy)
        made.append((place, source, kind))
    return made


def fallback_libraries() -> list[tuple[str, str]]:
    """Where this system keeps the libraries of FALLBACK."""
    if not sys.platform.startswith("linux"):
        return []
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    places = dict(re.findall(r"^\s*(\S+) \(libc6,x86-64[^)]*\) => (\S+)$", known, re.MULTILINE))
    expected = (*FALLBACK, *launch.QT_LIBRARIES, *launch.QT_DISPLAY_LIBRARIES)
    missing = [name for name in expected if name not in places]
    if missing:
        raise SystemExit(f"build: this system lacks {' '.join(missing)}, which belong into the bundle; see README.md.")
    return [(places[name], "fallback") for name in FALLBACK]


def windows_version(version: str, name: str) -> Any:
    """What Windows shows about a program. NOT RUN HERE."""
    from PyInstaller.utils.win32 import versioninfo as info  # type: ignore[import-not-found]

    numbers = (*(int(part) for part in re.findall(r"\d+", version)), 0, 0, 0)[:4]
    words = {
        "CompanyName": "The Forensia developers",
        "FileDescription": "Forensia",
        "FileVersion": version,
        "InternalName": name,
        "OriginalFilename": f"{name}.exe",
        "ProductName": "Forensia",
        "ProductVersion": version,
    }
    table = info.StringTable("040904B0", [info.StringStruct(key, value) for key, value in words.items()])
    return info.VSVersionInfo(
        ffi=info.FixedFileInfo(
            filevers=numbers, prodvers=numbers, mask=0x3F, flags=0, OS=0x40004, fileType=1, subtype=0
        ),
        kids=[info.StringFileInfo([table]), info.VarFileInfo([info.VarStruct("Translation", [0x0409, 1200])])],
    )


def mac_description(version: str) -> dict[str, Any]:
    """What macOS must know: above all that cases are ours. NOT RUN HERE."""
    return {
        "CFBundleName": "Forensia",
        "CFBundleDisplayName": "Forensia",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "LSMinimumSystemVersion": "13.0",
        "LSApplicationCategoryType": "public.app-category.productivity",
        "NSHighResolutionCapable": True,
        "NSPrincipalClass": "NSApplication",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Forensia case",
                "CFBundleTypeRole": "Editor",
                "CFBundleTypeIconFile": "forensia-case.icns",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [CASE_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": CASE_TYPE,
                "UTTypeDescription": "Forensia case",
                "UTTypeConformsTo": ["public.data", "public.content"],
                "UTTypeIconFile": "forensia-case.icns",
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["forensia"],
                    "public.mime-type": ["application/x-forensia-case"],
                },
            }
        ],
    }
