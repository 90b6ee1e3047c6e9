#!/usr/bin/env bash
# From a small parsed Chinese-English corpus to translations: a graph system (SegGBMT on the dependency-bigram graph) and a
# phrase-based one (PBMT), each trained from the texts to tuned weights with one command, then compared.
#   examples/demo.sh GRAFT FOLDER      GRAFT: the binary; FOLDER: where the models go
set -euo pipefail
graft=$(realpath "${1:?usage: demo.sh GRAFT FOLDER}")
folder=${2:?usage: demo.sh GRAFT FOLDER}
examples=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
data=$examples/zh-en
shown=(45 139 168)  # sentences of the test set, from 1

[[ -f $data/train.zh.conllu ]] || python3 "$examples/../tools/generate_examples.py"
mkdir -p "$folder"
cd "$folder"
started=$(date +%s.%N)

show() { printf '\n$ %s\n' "$*" | sed "s|$graft|graft|g; s|$data/||g"; "$@"; }

# Forms of sentence $2 (from 1) of a CoNLL-U file, and its block.
forms() { awk -v RS= -v FS='\n' -v n="$2" 'NR == n { for (i = 1; i <= NF; ++i) { split($i, c, "\t"); if (c[1] ~ /^[0-9]+$/) printf "%s ", c[2] } }' "$1"; }
block() { awk -v RS= -v n="$2" 'NR == n { print $0 "\n" }' "$1"; }

# train NAME SYSTEM-KEYS: word alignment, rules, language model, weights and score
train() {
  cat > "$1.toml" <<END
output = "$1"
[system]
$2
[corpus]
source = "$data/train.zh.conllu"
target = "$data/train.en"
[lm]
order = 4
[dev]
source = "$data/dev.zh.conllu"
references = ["$data/dev.en"]
[test.unseen]
source = "$data/test.zh.conllu"
references = ["$data/test.en"]
[tune]
iterations = 8
END
  show "$graft" train "$1.toml" 2> "$1.log" || { cat "$1.log" >&2; exit 1; }
}

train seggbmt 'name = "seggbmt"
graph = "dbg"'
train pbmt 'name = "pbmt"'

printf '\nSentences that were not in training:\n'
for system in seggbmt pbmt; do cp "$system.work/test.unseen.run1.out" "$system.out"; done
for n in "${shown[@]}"; do
  printf '\n  source     %s\n' "$(forms "$data/test.zh.conllu" "$n")"
  printf '  seggbmt    %s\n' "$(sed -n "${n}p" seggbmt.out)"
  printf '  pbmt       %s\n' "$(sed -n "${n}p" pbmt.out)"
  printf '  reference  %s\n' "$(sed -n "${n}p" "$data/test.en")"
done

printf '\nHow the graph system came to the first of them:\n'
block "$data/test.zh.conllu" "${shown[0]}" > one.conllu
show "$graft" translate -m seggbmt --explain one.conllu

printf '\nIs the graph system really better, on %s held-out sentences?\n' "$(wc -l < "$data/test.en")"
show "$graft" compare --tokenize none --ref "$data/test.en" --system pbmt pbmt.out --system seggbmt seggbmt.out
printf '\nDone in %.1f seconds; the models are in %s.\n' "$(echo "$(date +%s.%N) $started" | awk '{ print $1 - $2 }')" "$PWD"
