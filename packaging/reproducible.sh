#!/bin/sh
# reproducible.sh FOLDER: rebuilds the Debian package whose .dsc and .deb files are in FOLDER, in another
# folder, with another time, time zone, language and umask, and compares the two byte by byte.
set -eu
folder=$(CDPATH='' cd -- "$1" && pwd)
set -- "$folder"/*.dsc
if [ $# != 1 ] || [ ! -f "$1" ]; then
  echo "reproducible.sh: $folder has to hold one .dsc file" >&2
  exit 2
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/tfprof-reproducible.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/elsewhere"
dpkg-source -x "$1" "$work/elsewhere/source" >/dev/null

# A year and some days later with faketime; otherwise some minutes later.
later=
if command -v faketime >/dev/null; then later='faketime -f +400d'; fi
if ! (cd "$work/elsewhere/source" && umask 077 &&
  TZ=Pacific/Kiritimati LC_ALL=C LANG=C DEB_BUILD_OPTIONS='nocheck parallel=1' \
    $later dpkg-buildpackage -us -uc -b >"$work/log" 2>&1); then
  tail -n 20 "$work/log" >&2
  exit 1
fi

status=0
for first in "$folder"/*.deb; do
  name=${first##*/}
  if cmp "$first" "$work/elsewhere/$name"; then
    echo "$name: the same bytes"
  else
    status=1
    if command -v diffoscope >/dev/null; then diffoscope "$first" "$work/elsewhere/$name" | head -n 100 || :; fi
  fi
done
exit $status
