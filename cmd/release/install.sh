#!/bin/sh
# Installs svc: checks the signature and the hash of the release, and copies one file. It changes nothing else.
#
#   sh install.sh                           # the release that lies in this script's folder
#   sh install.sh --from https://host/path  # downloads the release from there
#   sh install.sh --to /opt/bin             # default: /usr/local/bin for root, else ~/.local/bin
set -eu

VERSION='@VERSION@'
PUBLIC_KEY='@PUBLIC_KEY@'
SIGNER='svc-release'

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

from=$(dirname "$0")
to=
while [ $# -gt 0 ]; do
  case "$1" in
    --from | --to)
      [ $# -ge 2 ] || fail "$1 needs a value"
      if [ "$1" = --from ]; then from=$2; else to=$2; fi
      shift 2
      ;;
    -h | --help)
      sed -n '2,6s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    *) fail "unknown option $1; see sh install.sh --help" ;;
  esac
done

[ "$(uname -s)" = Linux ] || fail "svc runs on Linux. On $(uname -s), run it from source (README.md)."
case "$(uname -m)" in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no svc for $(uname -m), only for x86_64 and aarch64" ;;
esac
if [ -z "$to" ]; then
  if [ "$(id -u)" = 0 ]; then to=/usr/local/bin; else to=$HOME/.local/bin; fi
fi
command -v ssh-keygen >/dev/null || fail 'ssh-keygen is missing, which checks the signature. On Debian: apt-get install openssh-client'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

get() {
  case "$from" in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$work/$1" "$from/$1" || fail "could not download $from/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$work/$1" "$from/$1" || fail "could not download $from/$1"
      else
        fail 'curl or wget is needed to download svc'
      fi
      ;;
    *) cp "$from/$1" "$work/$1" 2>/dev/null || fail "$from has no $1. Give the address of the release: --from https://host/path" ;;
  esac
}

get SHA256SUMS
get SHA256SUMS.sig
echo "$SIGNER $PUBLIC_KEY" >"$work/signers"
ssh-keygen -Y verify -q -f "$work/signers" -I "$SIGNER" -n file -s "$work/SHA256SUMS.sig" <"$work/SHA256SUMS" >/dev/null 2>&1 ||
  fail 'the signature of SHA256SUMS is wrong. Do not use these files.'

file=svc-linux-$arch
get "$file"
grep -E "  $file\$" "$work/SHA256SUMS" >"$work/expected" || fail "SHA256SUMS does not name $file"
(cd "$work" && sha256sum --check --quiet expected >/dev/null 2>&1) || fail "$file is damaged: its hash is not the one in SHA256SUMS"

mkdir -p "$to"
chmod 0755 "$work/$file"
# Copied and renamed, because a running svc keeps using the old file.
cp "$work/$file" "$to/.svc.new"
mv "$to/.svc.new" "$to/svc"
echo "Installed svc $VERSION as $to/svc"
case ":$PATH:" in
  *":$to:"*) echo 'Start a node: svc start' ;;
  *) echo "$to is not in PATH. Start a node: $to/svc start" ;;
esac
