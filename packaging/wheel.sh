#!/bin/sh
# wheel.sh PROGRAM VERSION FOLDER: packs the static PROGRAM as a Python wheel in FOLDER and prints its name.
# A wheel is a zip archive with a list of its contents ("Binary distribution format" of the Python
# packaging guide); this one contains no Python.  The same program gives the same bytes.
set -eu
program=$1 version=$2 folder=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

command -v zip >/dev/null || {
  echo 'wheel.sh: zip is missing: install the Debian package zip' >&2
  exit 1
}
machine=$(${CC:-cc} -dumpmachine | cut -d- -f1)
# A static program needs no C library, so the wheel is tagged for each of them.
tag=py3-none-manylinux_2_17_$machine.manylinux2014_$machine.musllinux_1_1_$machine

work=$(mktemp -d "${TMPDIR:-/tmp}/tfprof.XXXXXX")
trap 'rm -rf "$work"' EXIT
info=tfprof-$version.dist-info
scripts=tfprof-$version.data/scripts
mkdir -p "$work/$scripts" "$work/$info/sboms" "$work/$info/licenses"
install -m 755 "$program" "$work/$scripts/tfprof"
install -m 644 "$here/../LICENSE" "$work/$info/licenses/LICENSE"
sh "$here/sbom.sh" "$version" >"$work/$info/sboms/tfprof.cdx.json"

cat >"$work/$info/WHEEL" <<EOF
Wheel-Version: 1.0
Generator: tfprof ($version)
Root-Is-Purelib: false
EOF
for abi in $(echo "$tag" | sed 's/^py3-none-//; s/[.]/ /g'); do
  echo "Tag: py3-none-$abi" >>"$work/$info/WHEEL"
done
{
  cat <<EOF
Metadata-Version: 2.4
Name: tfprof
Version: $version
Summary: Full-screen terminal explorer for profiles of machine learning models
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.7
Description-Content-Type: text/markdown

EOF
  cat "$here/../README.md"
} >"$work/$info/METADATA"

# The URL-safe base64 of a file's SHA-256 without padding, as RECORD requires.
digest() {
  sha256sum <"$1" | perl -MMIME::Base64 -ne \
    '$_ = encode_base64(pack("H64", $_), ""); tr|+/=|-_|d; print'
}
# The files are listed before RECORD, which contains the list, exists.
cd "$work"
files=$(find . -type f | sed 's|^[.]/||' | LC_ALL=C sort)
for file in $files; do
  printf '%s,sha256=%s,%s\n' "$file" "$(digest "$file")" "$(($(wc -c <"$file")))"
done >"$info/RECORD"
printf '%s,,\n' "$info/RECORD" >>"$info/RECORD"

find . -exec touch -h -d "@${SOURCE_DATE_EPOCH:-315619200}" {} +
wheel=tfprof-$version-$tag.whl
# shellcheck disable=SC2086  # names of ours, without blanks
TZ=UTC zip -q -X "$wheel" $files "$info/RECORD"
cd "$OLDPWD"
mv "$work/$wheel" "$folder/"
echo "$wheel"
