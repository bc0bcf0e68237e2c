#!/usr/bin/env bash
# fuzz-minimise.sh FINDS [TARGET...]   adds to fuzz/corpus what runs found under FINDS/TARGET, as far as it reaches something
# that the corpus does not, the smallest inputs first: up to MOST (default 100) files of at most 2048 bytes for each target.
# Seeds and inputs of former findings stay.
# Env: MOST  how many inputs a corpus may have (default 100)
#      BINS  the folder of the built targets (default: they are built)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); . "$here/_lib.sh"
finds=$(cd "${1:?FINDS}" && pwd); shift
cd "$here/../fuzz"
bins=${BINS:-$("$here/fuzz-build.sh" | tail -n 1)}
[ $# -gt 0 ] || mapfile -t all < <(ls "$finds")
[ $# -gt 0 ] || set -- "${all[@]}"
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1}
for name in "$@"; do
  small=$(mktemp -d); merged=$(mktemp -d)
  find "$finds/$name" -type f -size -2049c -exec cp -t "$small" {} +
  cp corpus/"$name"/* "$merged"
  "$bins/$name" -merge=1 -max_len=2048 -timeout=20 -rss_limit_mb=2048 "$merged" "$small" >/dev/null 2>&1 || die "merging $name failed"
  left=$(( ${MOST:-100} - $(find "corpus/$name" -type f | wc -l) ))
  # All of the list first: a pipe that is not read to its end is a failure here.
  mapfile -t files < <(find "$merged" -type f -printf '%s %f\n' | sort -n | cut -d' ' -f2)
  for file in "${files[@]}"; do
    [ "$left" -gt 0 ] || break
    [ ! -e "corpus/$name/$file" ] || continue
    cp "$merged/$file" "corpus/$name/$file"; left=$(( left - 1 ))
  done
  say "$name: $(find "corpus/$name" -type f | wc -l) inputs"
  rm -rf "$small" "$merged"
done
