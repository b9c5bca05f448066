#!/bin/sh
# Put Forensia into the menu and let a double click open its cases; or take all of it away again.
# It is meant to be run from the unpacked folder of Forensia. From the source tree it makes an entry that starts the source.
set -eu
umask 022

usage() {
    cat <<'END'
usage: ./install.sh [--system] [--uninstall [--purge]]

  (nothing)     install for you alone, in ~/.local
  --system      install for everybody, in /opt and /usr/local (as root)
  --uninstall   take away what was installed; your cases and settings stay
  --purge       with --uninstall: your settings and logs go too; your cases stay
END
}

say() { printf '%s\n' "$1"; }
fail() {
    printf 'install: %s\n' "$1" >&2
    exit 1
}

system=no
uninstall=no
purge=no
for argument in "$@"; do
    case $argument in
        --system) system=yes ;;
        --uninstall) uninstall=yes ;;
        --purge) purge=yes ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
done
if [ $purge = yes ] && [ $uninstall = no ]; then
    usage >&2
    exit 2
fi

if [ $system = yes ]; then
    [ "$(id -u)" = 0 ] || fail "--system needs root. Run: sudo $0 $*"
    lib=/opt/forensia
    bin=/usr/local/bin
    share=/usr/local/share
else
    [ -n "${HOME:-}" ] || fail "HOME is not set, so there is no place to install to."
    lib=$HOME/.local/lib/forensia
    bin=$HOME/.local/bin
    share=${XDG_DATA_HOME:-$HOME/.local/share}
fi
case $lib$bin$share in
    *'
'*) fail "The home folder has a line break in its name, which no menu entry can hold." ;;
esac
list=$lib/installed.txt

# Make a folder; those that were not there are noted, so that they can be taken away again.
folder() {
    [ -d "$1" ] && return
    folder "$(dirname "$1")"
    mkdir "$1"
    made="$made
dir $1"
}

# Copy a file to its place, and note it.
place() {
    folder "$(dirname "$2")"
    cp "$1" "$2"
    chmod 644 "$2"
    made="$made
file $2"
}

# A path as a word of Exec=: in quotes, with the escapes of the desktop entry specification.
exec_word() {
    printf '"%s"' "$(printf '%s' "$1" | sed -e 's/\\/\\\\\\\\/g' -e 's/["`$]/\\\\&/g' -e 's/%/%%/g')"
}

# GLib looks for the program by its name before it reads %% as %, and drops the entry; env is found, and hands on what was read.
through() {
    case $1 in
        *%*) printf 'env ' ;;
    esac
}

write_entry() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
            Exec=*) printf 'Exec=%s%s %%f\n' "$(through "$2")" "$(exec_word "$2")" ;;
            TryExec=*) printf 'TryExec=%s\n' "$(printf '%s' "$2" | sed -e 's/\\/\\\\/g')" ;;
            *) printf '%s\n' "$line" ;;
        esac
    done <"$1"
}

# What update-desktop-database would write: our line in the list of programs that open a file type, or none once the entry is gone.
associate() {
    cache=$share/applications/mimeinfo.cache
    type=application/x-forensia-case
    others=
    rest='[MIME Cache]'
    if [ -f "$cache" ]; then
        others=$(sed -n -e "s|^$type=|;|" -e 's/;forensia\.desktop;/;/' -e 's/^;//p' "$cache")
        rest=$(grep -v "^$type=" "$cache" || true)
    fi
    [ ! -f "$share/applications/forensia.desktop" ] || others="forensia.desktop;$others"
    if [ -n "$others" ]; then
        printf '%s\n%s=%s\n' "$rest" "$type" "$others" >"$cache" || true
    elif [ "$rest" = '[MIME Cache]' ]; then
        rm -f "$cache"
    else
        printf '%s\n' "$rest" >"$cache" || true
    fi
}

# Let the desktop look again. Its caches are made only where there is something to keep in them.
refresh() {
    if [ -d "$share/applications" ]; then
        if command -v update-desktop-database >/dev/null 2>&1; then
            update-desktop-database -q "$share/applications" || true
        else
            associate
        fi
    fi
    if command -v update-mime-database >/dev/null 2>&1 && [ -d "$share/mime/packages" ]; then
        update-mime-database "$share/mime" >/dev/null 2>&1 || true
    fi
    icons=$share/icons/hicolor
    if [ -d "$icons" ]; then
        touch "$icons" 2>/dev/null || true
        if [ -f "$icons/icon-theme.cache" ] && command -v gtk-update-icon-cache >/dev/null 2>&1; then
            gtk-update-icon-cache -q -t -f "$icons" || true
        fi
    fi
}

# Nothing but caches is left in a folder: they are worth nothing then.
sweep() {
    if [ -d "$share/applications" ] && [ "$(ls -A "$share/applications")" = mimeinfo.cache ]; then
        rm -f "$share/applications/mimeinfo.cache"
    fi
    if [ -d "$share/mime/packages" ] && [ -z "$(ls -A "$share/mime/packages")" ]; then
        for cache in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version; do
            rm -f "$share/mime/$cache"
        done
        rmdir "$share/mime/application" 2>/dev/null || true
    fi
}

remove() {
    [ -f "$list" ] || return 1
    kept=$(cat "$list")
    printf '%s\n' "$kept" | while read -r kind path; do
        [ "$kind" != file ] || rm -f "$path"
    done
    refresh
    sweep
    rm -rf "$lib"
    # The last that was made is the first to go; a folder that holds something else by now stays.
    printf '%s\n' "$kept" | sed -n '1!G;h;$p' | while read -r kind path; do
        [ "$kind" != dir ] || rmdir "$path" 2>/dev/null || true
    done
}

if [ $uninstall = yes ]; then
    remove || fail "Forensia is not installed in $lib."
    say "Forensia was taken away from $lib."
    config=${XDG_CONFIG_HOME:-${HOME:-}/.config}/forensia
    logs=${XDG_STATE_HOME:-${HOME:-}/.local/state}/forensia
    cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/forensia
    data=${XDG_DATA_HOME:-${HOME:-}/.local/share}/forensia
    rm -rf "$cache" # it can be made again, and holds nothing of the user's
    if [ $purge = yes ]; then
        rm -rf "$config" "$logs"
    elif [ -d "$config" ] || [ -d "$logs" ]; then
        say "Your settings and logs are kept: $config $logs"
    fi
    # Cases are the user's; a folder for them without any is not.
    rmdir "$data/cases" "$data" 2>/dev/null || true
    # The empty folders above them in the home folder: Forensia was the first to need them.
    for above in "$config" "$logs" "$cache" "$data"; do
        above=$(dirname "$above")
        while [ -n "${HOME:-}" ] && [ "${above#"$HOME"/}" != "$above" ] && rmdir "$above" 2>/dev/null; do
            above=$(dirname "$above")
        done
    done
    [ ! -d "$data" ] || say "Cases without a name of yours are kept in $data."
    exit 0
fi

here=$(cd "$(dirname "$0")" && pwd -P)
made=
if [ -x "$here/forensia" ] && [ -d "$here/_internal" ]; then
    source=$here/share
    [ "$here" != "$lib" ] || fail "This is the installed copy. Run the install.sh of the folder you unpacked."
    program=$lib/forensia
elif [ -f "$here/../launch.py" ]; then
    source=
    program=$(cd "$here/.." && pwd -P)/Forensia.sh
else
    fail "$here holds no Forensia. Unpack the archive again, and run the install.sh in it."
fi

# What an older installation made and this one will use is taken away with this one.
if [ -f "$list" ]; then
    made=$(grep '^dir ' "$list" || true)
fi
folder "$(dirname "$lib")"
entry=$here/forensia.desktop
if [ -n "$source" ]; then
    # Under another name until it is complete: an interrupted copy is never taken for a program, and the old one lives until then.
    rm -rf "$lib.new"
    trap 'rm -rf "$lib.new"' EXIT
    cp -a "$here" "$lib.new" || fail "The files could not be copied to $lib; is the disk full?"
    [ $system = no ] || chown -R root:root "$lib.new"
    remove && say "The older installation was taken away."
    mv "$lib.new" "$lib"
    mime=$source/mime/packages/forensia.xml
else
    remove && say "The older installation was taken away."
    folder "$lib"
    cp "$0" "$lib/install.sh"
    mime=$here/forensia-mime.xml
fi

printf '%s\n' "$made" >"$list" # should the rest fail, --uninstall finds this
if [ -n "$source" ]; then
    icons=$source/icons/hicolor
    for picture in "$icons"/*/*/*; do
        place "$picture" "$share/icons/hicolor/${picture#"$icons"/}"
    done
else
    pictures=$(cd "$here/../../resources/icons" && pwd -P)
    for size in "$pictures"/*x*; do
        place "$size/forensia.png" "$share/icons/hicolor/${size##*/}/apps/forensia.png"
        place "$size/forensia-case.png" "$share/icons/hicolor/${size##*/}/mimetypes/application-x-forensia-case.png"
    done
    place "$pictures/forensia.svg" "$share/icons/hicolor/scalable/apps/forensia.svg"
    place "$pictures/forensia-case.svg" "$share/icons/hicolor/scalable/mimetypes/application-x-forensia-case.svg"
fi
place "$mime" "$share/mime/packages/forensia.xml"
place "$entry" "$share/applications/forensia.desktop"
write_entry "$entry" "$program" >"$share/applications/forensia.desktop"
if [ -e "$bin/forensia" ] || [ -L "$bin/forensia" ]; then
    say "$bin/forensia is there already and stays as it is; the menu entry works without it."
else
    folder "$bin"
    ln -s "$program" "$bin/forensia"
    made="$made
file $bin/forensia"
fi
printf '%s\n' "$made" >"$list"
refresh

say "Forensia is installed: look for it in your menu, or open a .forensia file."
say "To take it away again: $lib/install.sh --uninstall$([ $system = no ] || printf ' --system')"
