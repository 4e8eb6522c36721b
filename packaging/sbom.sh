#!/bin/sh
# sbom.sh VERSION: prints the components of the static program as CycloneDX 1.5 (JSON).
# Versions are those of the libraries on this machine, which the program was linked with.
set -eu
version=$1
pkg_config=${PKG_CONFIG:-pkg-config}

# component NAME VERSION LICENSE
component() {
  printf '%s\n    {"type": "library", "name": "%s", "version": "%s", "licenses": [{"license": {"id": "%s"}}]}' \
    "$separator" "$1" "$2" "$3"
  separator=,
}
by_pkg_config() { component "$1" "$($pkg_config --modversion "$2")" "$3"; }
by_dpkg() { component "$1" "$(dpkg-query -W -f='${Version}' "$2" 2>/dev/null || echo unknown)" "$3"; }

cat <<EOF
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {"component": {"type": "application", "name": "tfprof", "version": "$version",
    "licenses": [{"license": {"id": "Apache-2.0"}}]}},
EOF
printf '  "components": ['
separator=
by_dpkg glibc libc6-dev LGPL-2.1-or-later
by_dpkg libstdc++ libstdc++-12-dev GPL-3.0-with-GCC-exception
by_dpkg libmd libmd-dev BSD-3-Clause
by_dpkg snappy libsnappy-dev BSD-3-Clause
by_pkg_config libbsd libbsd BSD-3-Clause
by_pkg_config libedit libedit BSD-3-Clause
by_pkg_config ncurses ncursesw X11
by_pkg_config pcre2 libpcre2-8 BSD-3-Clause
by_pkg_config protobuf-c libprotobuf-c BSD-2-Clause
by_pkg_config sqlite sqlite3 blessing
by_pkg_config zlib zlib Zlib
printf '\n  ]\n}\n'
