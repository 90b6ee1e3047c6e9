#!/usr/bin/env bash
# From a small Chinese-English treebank to translations: a graph system (SegGBMT on the dependency-bigram graph) and a
# phrase-based one (PBMT), with the same language model and default weights.
#   examples/demo.sh GRAFT FOLDER      GRAFT: the binary; FOLDER: where the models go
set -euo pipefail
graft=$(realpath "${1:?usage: demo.sh GRAFT FOLDER}")
folder=${2:?usage: demo.sh GRAFT FOLDER}
examples=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
data=$examples/zh-en
shown=(45 139 168)  # sentences of the test set, from 1

[[ -f $data/train.zh.conllu ]] || python3 "$examples/generate.py"
mkdir -p "$folder"
cd "$folder"
started=$(date +%s.%N)

show() { printf '\n$ %s\n' "$*" | sed "s|$graft|graft|g; s|$data/||g"; "$@"; }

# Forms of sentence $2 (from 1) of a CoNLL-U file, and its block.
forms() { awk -v RS= -v FS='\n' -v n="$2" 'NR == n { for (i = 1; i <= NF; ++i) { split($i, c, "\t"); if (c[1] ~ /^[0-9]+$/) printf "%s ", c[2] } }' "$1"; }
block() { awk -v RS= -v n="$2" 'NR == n { print $0 "\n" }' "$1"; }

# train NAME SYSTEM-OPTIONS...
train() {
  local name=$1
  shift
  show "$graft" table build "$@" --source "$data/train.zh.conllu" --target "$data/train.en" --align "$data/train.align" \
    -o "$name.graft"
  rm -rf "$name"
  show "$graft" model new --table "$name.graft" --lm lm.bin -o "$name"
}

show "$graft" lm "$data/train.en" --order 4 -o lm.bin
train seggbmt --system seggbmt --graph dbg
train pbmt --system pbmt
for system in seggbmt pbmt; do
  show "$graft" translate -m "$system" "$data/test.zh.conllu" -o "$system.out"
done

printf '\nSentences that were not in training:\n'
for n in "${shown[@]}"; do
  printf '\n  source     %s\n' "$(forms "$data/test.zh.conllu" "$n")"
  printf '  seggbmt    %s\n' "$(sed -n "${n}p" seggbmt.out)"
  printf '  pbmt       %s\n' "$(sed -n "${n}p" pbmt.out)"
  printf '  reference  %s\n' "$(sed -n "${n}p" "$data/test.en")"
done

printf '\nHow the graph system came to the first of them:\n'
block "$data/test.zh.conllu" "${shown[0]}" > one.conllu
show "$graft" translate -m seggbmt --explain one.conllu

printf '\nBLEU on %s held-out sentences:\n' "$(wc -l < "$data/test.en")"
for system in seggbmt pbmt; do
  printf '  %-8s %s\n' "$system" "$("$graft" eval "$system.out" "$data/test.en" --tokenize none --metrics bleu)"
done
printf '\nDone in %.1f seconds; the models are in %s.\n' "$(echo "$(date +%s.%N) $started" | awk '{ print $1 - $2 }')" "$PWD"
