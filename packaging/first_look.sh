#!/bin/sh
# first_look.sh FOLDER: measures the seconds from a minimal Debian 12 to the sample on the screen, with
# each file in FOLDER that `make release` made: package, static program, wheel, source archive.
#
# Includes the downloads of apt-get and pip.  Requires root, debootstrap, and a Debian mirror (MIRROR).
set -eu
folder=$(CDPATH='' cd -- "$1" && pwd)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
sample=$here/../data/resnet32.pb.gz

work=$(mktemp -d "${TMPDIR:-/tmp}/tfprof-first-look.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
debootstrap --variant=minbase bookworm "$work/bare" "${MIRROR:-http://deb.debian.org/debian}" >"$work/log" ||
  { tail -n 5 "$work/log" >&2; exit 1; }
cp /etc/resolv.conf "$work/bare/etc/resolv.conf"

# inside ROOT LINE: runs a line of shell in the root file system ROOT, with its own processes and /proc.
cat >"$work/inside" <<'EOF'
#!/bin/sh
exec unshare --mount --pid --fork --mount-proc="$1/proc" \
  chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm-256color LANG=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive sh -e -c "$2"
EOF
chmod +x "$work/inside"
now() { date +%s.%N; }

# Sends q as soon as the screen shows the sample, or after a minute.
type_q() {
  tries=600
  until grep -a -q unit_1_0 "$work/screen" 2>/dev/null || [ $((tries -= 1)) = 0 ]; do sleep 0.1; done
  echo q
}

# look NAME PATTERN SETUP OPEN: $file is the file that matches PATTERN, with the sample next to it; SETUP
# installs it, and OPEN shows the sample until q is sent.
look() {
  name=$1 root=$work/$1 setup=$3 open=$4
  # shellcheck disable=SC2086  # a pattern
  set -- "$folder"/$2
  [ -e "$1" ] || { echo "$name: not in $folder"; return 0; }
  cp -a "$work/bare" "$root"
  cp "$1" "$sample" "$root/root/"
  start="cd /root; file=./${1##*/}"
  began=$(now)
  if ! "$work/inside" "$root" "$start; $setup" >"$work/log" 2>&1; then
    tail -n 5 "$work/log" >&2
    exit 1
  fi
  installed=$(now)
  export inside="$work/inside" root line="$start; $open"
  rm -f "$work/screen"
  # shellcheck disable=SC2016  # expanded by the shell that script starts
  type_q | TERM=xterm-256color script -q -f -e -c '"$inside" "$root" "$line"' "$work/screen" >/dev/null 2>&1 || :
  ended=$(now)
  grep -a -q unit_1_0 "$work/screen" || { echo "$name: the screen does not show the sample" >&2; exit 1; }
  awk -v name="$name" -v began="$began" -v installed="$installed" -v ended="$ended" \
    'BEGIN { printf "%-8s %6.1f s to install, %5.1f s to the screen and out of it\n", name, installed - began, ended - installed }'
  rm -rf "$root"
}

# shellcheck disable=SC2016  # lines for the shell inside
time_ways() {
  look static "tfprof-*-$(uname -m)" 'cp $file tfprof' './tfprof resnet32.pb.gz'
  look package 'tfprof_*.deb' 'apt-get -q update; apt-get -q -y --no-install-recommends install $file' 'tfprof resnet32.pb.gz'
  look wheel 'tfprof-*.whl' 'apt-get -q update; apt-get -q -y --no-install-recommends install python3-venv
    python3 -m venv env; env/bin/pip install -q --no-index $file' 'env/bin/tfprof resnet32.pb.gz'
  look source 'tfprof-*.tar.xz' 'apt-get -q update; apt-get -q -y --no-install-recommends install xz-utils
    tar xf $file; cd tfprof-*/; ./bootstrap.sh build' 'cd tfprof-*/; ./bootstrap.sh run'
}
time_ways
