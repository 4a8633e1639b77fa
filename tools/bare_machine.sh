#!/usr/bin/env bash
# The package of a build on a bare Debian 12: installs it there with apt, follows the README's example and the guide, and removes it
# again.
#   tools/bare_machine.sh BUILD [ROOT]
# As root, with mmdebstrap (apt-get install mmdebstrap) and a package mirror. ROOT is made if it is not there, and kept.
set -euo pipefail
build=$1 root=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$build" && cpack -G DEB -B "$work" >"$work/log" 2>&1) || { cat "$work/log"; exit 1; }
bare=${root:-$work/root}
[[ -d $bare ]] || mmdebstrap --quiet --variant=apt bookworm "$bare"
cp "$work"/inspect_*.deb "$bare/tmp/inspect.deb"
inside() { chroot "$bare" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -euc "$1"; }
mount -t proc proc "$bare/proc"
trap 'umount "$bare/proc"; rm -rf "$work"' EXIT
inside 'apt-get -qq update; apt-get -qqy install --no-install-recommends /tmp/inspect.deb >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }'
status=0
inside 'cd /tmp && cp /usr/share/doc/inspect/examples/bank.c . && inspect check bank.c' || status=$?
[[ $status == 1 ]] || { echo "bank.c: exit status $status, expected 1"; exit 1; }
inside 'cd /tmp && inspect replay --quiet inspect-bug.schedule' || status=$?
[[ $status == 1 ]] || { echo "its replay: exit status $status, expected 1"; exit 1; }
inside 'cd /tmp && inspect check --quiet /usr/share/doc/inspect/examples/bank_fixed.c && inspect check --quiet /usr/share/doc/inspect/examples/queue.cpp'
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$bare/tmp/source"
cp -r "$here/examples" "$here/docs" "$here/test" "$bare/tmp/source"
inside 'apt-get -qqy install --no-install-recommends python3 make gdb >/dev/null 2>&1
  cd /tmp/source && python3 test/documents/documents_test.py --build /usr --source . docs/guide.md'
inside 'apt-get -qqy purge inspect >/dev/null 2>&1; test ! -e /usr/lib/inspect && test ! -e /usr/bin/inspect'
echo "a bare Debian 12 installs the package, finds the bug of the example, follows the guide, and is rid of it again"
