"""Calls that must fail, and calls for help: what the binary says is compared as any other output."""
import pathlib
import re
import shlex

from harness import plan as plans
from harness.plan import Plan
from harness.systems import SYSTEMS

VERBS = ["train", "translate", "combine", "check", "tokenise", "align", "extract", "table", "table build", "table inspect", "table dump",
         "table import", "table prune", "lm", "model", "model new", "tune", "eval", "compare", "experiment"]
READS_STDIN = ("translate", "tokenise")


def call(label, *arguments):
    return plans.call(label, *arguments, fails=True)


def words_in_capitals(plan):
    """What the words in wrong-calls.txt stand for."""
    few = f"corpus/few.{plan.language}"
    words = {"CORPUS": plan.training(SYSTEMS["seggbmt-dbg"]), "TREES": [f"{few}.conllu"], "TEXT": [few], "TARGET": ["corpus/few.en"],
             "LONGER": [f"corpus/train.{plan.language}"], "HELD": ["--source", f"corpus/held.{plan.language}", "--references", "corpus/held.en"],
             "LM": ["given/lm/lm.bin"]}
    words |= {word: [f"given/model.{name}/model"] for word, name in
              {"PBMT": "pbmt", "DBG": "seggbmt-dbg", "HPBMT": "hpbmt", "LOWER": "seggbmt-dbg-lower"}.items()}
    return words | {word: [f"given/table.{name}/rules.graft"] for word, name in
                    {"TABLE": "pbmt", "UNITS": "seggbmt-dbg", "RULES": "hpbmt"}.items()}


def listed(plan):
    """Cases and calls of wrong-calls.txt: name to lists of arguments."""
    known, found = words_in_capitals(plan), {}
    for line in pathlib.Path(__file__).with_name("wrong-calls.txt").read_text(encoding="utf-8").splitlines():
        if name := re.fullmatch(r"\[(\w+)\]", line):
            found[name[1]] = lines = []
        elif line and not line.startswith("#"):
            words = [re.sub("^broken/", "corpus/broken/", word) for word in shlex.split(line)]
            lines.append([part for word in words for part in known.get(word, [word])])
    return found


def wrong_cases(corpus):
    plan = Plan(corpus)
    plan.add("help", plans.call("top", "--help"), plans.call("version", "--version"),
             *(plans.call(verb.replace(" ", "-"), verb.split(), "--help") for verb in VERBS))
    plan.add("wrong.nothing", call("nothing"), *(call(verb.replace(" ", "-"), verb.split()) for verb in VERBS if verb not in READS_STDIN))
    plan.add("wrong.option", *(call(verb.replace(" ", "-"), verb.split(), "--nosuch") for verb in VERBS))
    for name, calls in listed(plan).items():
        plan.add(f"wrong.{name}", *(call(f"{number:02}", arguments) for number, arguments in enumerate(calls, 1)))
    add_training(plan)
    return plan.cases


def add_training(plan):
    """Mistakes in configurations."""
    text, trees = f"corpus/few.{plan.language}", f"corpus/few.{plan.language}.conllu"
    settings = {"corpus.sorce=x": "key", "tune.iteration=3": "tune", "tune.iterations=x": "type", "lm.order=7": "order",
                "system.name=pbtm": "system", "system.mgs=1": "mgs",
                "align.symmetrise=grow-dig": "symmetrise", "tune.runs=0": "runs", "outptu=x": "output", "corpus.truecase=true": "case",
                "search.glue_limit=2": "search",
                "system.max_lenght=4": "length", "corpus.target=corpus": "folder", "dev.source=nowhere": "nowhere",
                "lm.file=corpus/few.en": "lm", "corpus.tokenised=false": "tokens"}
    good = plan.configuration('[system]\nname = "pbmt"\n', 'lowercase = true\nalign = "corpus/train.align"\n')
    rows = {"none": "", "twice": '[[row]]\nname = "pbmt"\n' * 2, "graph": '[[row]]\nname = "seggbmt"\n',
            "key": '[[row]]\nname = "pbmt"\ngrph = "dbg"\n',
            "baseline": 'baselines = ["hpbmt"]\n[[row]]\nname = "pbmt"\n', "id": '[[row]]\nname = "pbmt"\nid = "../x"\n',
            "consensus": '[[row]]\nname = "pbmt"\n[[consensus]]\nnbest = 3\n',
            "readings": '[[row]]\nname = "tbmt"\nupos = true\n[[row]]\nname = "serg"\n'}
    plan.add("wrong.training", call("none", "train"), call("absent", "train", "absent.toml"),
             call("folder", "train", "--quick", text, "corpus/few.en"),
             call("swapped", "train", "--quick", "corpus/few.en", trees, "-o", "x"),
             call("quick-absent", "train", "--quick", "absent", "corpus/few.en", "-o", "x"),
             call("memory", "train", "good.toml", "-S", "1K"), call("syntax", "train", "syntax.toml"),
             call("no-experiment", "experiment", "good.toml", "--dry-run"),
             *(call(f"set-{label}", "train", "good.toml", "--dry-run", "--set", key) for key, label in settings.items()),
             *(call(f"rows-{label}", "experiment", f"{label}.toml", "--dry-run") for label in rows),
             files={"good.toml": good, "syntax.toml": 'output = "x\n',
                    **{f"{label}.toml": plan.configuration(head, "") for label, head in rows.items()}})
