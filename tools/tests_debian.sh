#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the Debian packages in a clean copy of the tree, asks lintian, and uses what is in them, unpacked into a folder: the tool, the
# library through pkg-config and CMake, the provider through Debian's openssl, the Python package. Called by tests.sh all.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/build/debian
rm -rf "$folder"
mkdir -p "$folder/moonbow" "$folder/root"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --target-directory="$folder/moonbow"
cd "$folder/moonbow"
# The unit tests have run before, and would compile the library a second and a third time.
DEB_BUILD_OPTIONS="nocheck parallel=2" dpkg-buildpackage -us -uc -b >"$folder/log" 2>&1 || {
    tail -n 60 "$folder/log"
    exit 1
}
cd "$folder"
ls -l ./*.deb
lintian -i -I --pedantic --fail-on error,warning,info,pedantic --allow-root ./*.changes

for package in *.deb; do
    case $package in *-dbgsym_*) continue ;; esac
    dpkg-deb -x "$package" root
done
root=$folder/root
libraries=$(dirname "$(find "$root/usr/lib" -name libmoonbow.so.0)")
export LD_LIBRARY_PATH=$libraries

echo "the tool, its manual and completions"
cd "$folder"
tool=$root/usr/bin/moonbow
"$tool" keygen uov-Is-pkc -o key >/dev/null
echo text >document
"$tool" sign -k key document >/dev/null
"$tool" verify -p key.pub document
test "$("$tool" kat uov-Is --count 1 | sha256sum | cut -d' ' -f1)" = \
    "$(sed -n 's/^uov-Is header-and-first //p' moonbow/test/kat/uov-hashes.txt)"
for page in man1/moonbow.1.gz man3/moonbow.3.gz man7/OSSL_PROVIDER-moonbow.7ssl.gz man7/OSSL_PROVIDER-moonbow.7.gz; do
    test ! -e "$root/usr/share/man/$page" || zcat "$root/usr/share/man/$page" | mandoc -T lint -W error
done
test -s "$root/usr/share/zsh/vendor-completions/_moonbow"

echo "the library"
export PKG_CONFIG_PATH=$libraries/pkgconfig
cc moonbow/test/consumer/sign.c $(pkg-config --cflags --libs moonbow) -o consumer
./consumer
readelf -d consumer | grep -q 'libmoonbow.so.0'
cmake -S moonbow/test/consumer -B consumer-build -DCMAKE_PREFIX_PATH="$root/usr" -DMOONBOW_WANTED_VERSION=0.1 -DMOONBOW_COMPONENTS=static >/dev/null
cmake --build consumer-build >/dev/null

echo "the provider"
export OPENSSL_MODULES=$libraries/ossl-modules
openssl pkey -provider moonbow -provider default -in key -pubout -out key.from-openssl
cmp key.pub key.from-openssl
openssl dgst -provider moonbow -provider default -sign key -out document.signature document
cp document.signature document.sig
"$tool" verify -p key.pub document

echo "the Python package"
PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 - <<'PROGRAM'
import moonbow

public_key = moonbow.PublicKey.load("key.pub")
public_key.verify(open("document.sig", "rb").read(), open("document", "rb").read())
assert moonbow.SecretKey.load("key").public_key == public_key
print(moonbow.__file__.split("/root")[1], moonbow.__version__)
PROGRAM
echo "Debian packages: all of this works"
