#!/bin/sh
# Start Forensia from its source folder on Linux: with a double click (where the file manager runs programs), or from the menu
# entry that packaging/linux/install.sh makes. On first use it sets itself up and shows a small window meanwhile.
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd -P) || exit 1
for python in python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$python" >/dev/null 2>&1 && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$python" "$here/Forensia.pyw" "$@"
    fi
done
message='Forensia needs Python 3.11 or newer. Install it (on Debian or Ubuntu: sudo apt install python3 python3-venv) and start again.'
printf '%s\n' "$message" >&2
for tell in 'zenity --error --text' 'kdialog --error' 'xmessage'; do
    # shellcheck disable=SC2086  # the words before the message are several
    command -v "${tell%% *}" >/dev/null 2>&1 && exec $tell "$message"
done
exit 1
