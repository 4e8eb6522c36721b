#!/bin/sh
# have_pty.sh: reports whether the screen tests could be built; skipped if not.
if [ "$have_pty" = yes ]; then
    echo 1..1
    echo "ok 1 - libvterm and cmocka are there"
else
    echo "1..0 # SKIP screen tests: install libvterm-dev and libcmocka-dev"
fi
