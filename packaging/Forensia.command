#!/bin/bash
# Start Forensia from its source folder on macOS with a double click: a terminal shows the set-up on first use.
# NOT RUN HERE: written with care and checked with shellcheck, on a machine without macOS.
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
# Plain python3 comes last: where no Python was installed, macOS answers to that name with a dialog about tools for developers.
for python in python3.14 python3.13 python3.12 python3.11 \
    /opt/homebrew/bin/python3 /usr/local/bin/python3 /Library/Frameworks/Python.framework/Versions/Current/bin/python3 python3; do
    if command -v "$python" >/dev/null 2>&1 && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$python" "$here/launch.py" "$@"
    fi
done
osascript -e 'display alert "Forensia needs Python 3.11 or newer" message "Install it from python.org or with Homebrew, and start again."' >/dev/null
exit 1
