#!/bin/sh
# release.sh VERSION FOLDER: writes all files of a release to FOLDER: the source archive, the static
# program, the wheel, the Debian package if its tools are installed, and their checksums.
#
# Everything is built in a clone, from the commit that dates NEWS; that commit and its tag are added to this
# repository only after everything was built and all tests have passed.
set -eu
version=$1
mkdir -p "$2"
folder=$(CDPATH='' cd -- "$2" && pwd)
top=$(git -C "$(dirname -- "$0")" rev-parse --show-toplevel)
tag=v$version

fail() { echo "release.sh: $*" >&2; exit 1; }
[ -z "$(git -C "$top" status --porcelain)" ] || fail 'there are changes that are not committed'
[ -z "$(git -C "$top" tag -l "$tag")" ] || fail "$tag exists: AC_INIT in configure.ac has the version"
branch=$(git -C "$top" symbolic-ref --short HEAD) || fail 'HEAD is no branch'

work=$(mktemp -d "${TMPDIR:-/tmp}/tfprof-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Set before the clone, so that no file is older: packages replace only newer dates by that of the release.
now=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S +0000')
git clone -q --branch "$branch" "$top" "$work/source"
cd "$work/source"

# ---- dates

today=$(date -u +%Y-%m-%d)
grep -qx "$version, not released yet" NEWS || fail "NEWS has no line '$version, not released yet'"
sed -i "s/^$version, not released yet\$/$version, $today/" NEWS
head -n 1 debian/changelog | grep -qF "($version-1)" || fail "debian/changelog does not begin with $version-1"
awk -v now="$now" \
  '/^ -- / && !done { sub(/>  .*/, ">  " now); done = 1 } { print }' debian/changelog >"$work/changelog"
cp "$work/changelog" debian/changelog
git config user.name "$(git -C "$top" config user.name)"
git config user.email "$(git -C "$top" config user.email)"
git commit -qam "Release $version"
git tag -a -m "tfprof $version" "$tag"

# ---- files

./bootstrap.sh build
make -C build distcheck
cp "build/tfprof-$version.tar.xz" "$folder"
./bootstrap.sh static
cp build/tfprof-static "$folder/tfprof-$version-$(uname -m)"
./bootstrap.sh wheel
cp build/*.whl "$folder"
if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null; then
  cp "build/tfprof-$version.tar.xz" "$work/tfprof_$version.orig.tar.xz"
  (cd "$work" && tar xf "tfprof_$version.orig.tar.xz" && cd "tfprof-$version" && dpkg-buildpackage -us -uc)
  cp "$work"/tfprof*_"$version"-1* "$work"/tfprof_"$version".orig.tar.xz "$folder"
  sh packaging/reproducible.sh "$folder"
else
  echo 'release.sh: no dpkg-buildpackage and dh: no Debian package' >&2
fi
(cd "$folder" && rm -f SHA256SUMS && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)

git -C "$top" pull -q --ff-only "$work/source" "$branch"
git -C "$top" fetch -q "$work/source" "refs/tags/$tag:refs/tags/$tag"
echo "release.sh: $tag is tagged; $folder has:"
ls "$folder"
