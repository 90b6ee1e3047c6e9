"""Calls that must fail, and calls for help: what the binary says is compared as any other output."""
from harness import plan as plans
from harness.plan import ONE, Plan
from harness.systems import SYSTEMS

VERBS = ["train", "translate", "combine", "check", "tokenise", "align", "extract", "table", "table build", "table inspect", "table dump", "table import",
         "table prune", "lm", "model", "model new", "tune", "eval", "compare", "experiment"]
DBG, PBMT, HPBMT = "given/model.seggbmt-dbg/model", "given/model.pbmt/model", "given/model.hpbmt/model"


def call(label, *arguments):
    return plans.call(label, *arguments, fails=True)


def wrong_cases(corpus):
    plan = Plan(corpus)
    language = corpus.language
    trees, text = f"corpus/few.{language}.conllu", f"corpus/few.{language}"
    training = plan.training(SYSTEMS["seggbmt-dbg"])
    numbered = lambda *lines: [call(f"{number:02}", *line) for number, line in enumerate(lines, 1)]

    plan.add("help", plans.call("top", "--help"), plans.call("version", "--version"), *(plans.call(verb.replace(" ", "-"), verb.split(), "--help") for verb in VERBS))
    plan.add("wrong.verbs", *numbered(
        [], ["trnslate"], ["xyz"], ["table"], ["table", "biuld"], ["model"], ["model", "nwe"], *([verb.split()] for verb in VERBS if verb not in ("translate", "tokenise")),
        *([verb.split(), "--nosuch"] for verb in VERBS), ["translate", "--modle", "x"], ["lm", "--ordr", "3", "corpus/train.en", "-o", "x"],
        ["align", text, "corpus/few.en", "--threads", "0"], ["align", text, "corpus/few.en", "--threads", "many"], ["align", text, "corpus/few.en", "-S", "lots"]))
    plan.add("wrong.systems", *numbered(
        *(["extract", "--system", *options, training] for options in (
            ["pbtm"], ["neural"], ["seggbmt"], ["pbmt", "--graph", "dsg"], ["seggbmt", "--graph", "dag"], ["pbmt", "--mgs", "2"], ["dep2str", "--mgs", "1"],
            ["pbmt", "--no-blocks"], ["hpbmt", "--edge-labels"], ["hpbmt", "--pos"], ["tbmt", "--floating"], ["pbmt", "--max-length", "0"], ["pbmt", "--max-length", "99"],
            ["hpbmt", "--max-symbols", "1"], ["gramgbmt-c", "--graph", "dsg", "--max-symbols", "40"], ["gramgbmt-c", "--graph", "dsg", "--mgs", "0"],
            ["seggbmt-union", "--graph", "tree"], ["sdtu", "--max-span", "-1"], ["serg", "--adjacent-nt", "--graph", "dbg"], ["pbmt", "--upos"],
            ["hpbmt", "--no-projectivise"], ["dep2str", "--max-span", "4"])),
        ["extract", training], ["extract", "--system", "tbmt", "--source", text, "--target", "corpus/few.en", "--align", "corpus/train.align"],
        ["extract", "--system", "pbmt", "--source", text], ["extract", "--system", "pbmt", "--source", "-", "--target", "-", "--align", "corpus/train.align"],
        ["extract", "--system", "pbmt", "--source", "nowhere.txt", "--target", "corpus/train.en", "--align", "corpus/train.align"],
        ["extract", "--system", "pbmt", training, "-o", "no/folder/out"],
        ["extract", "--system", "pbmt", "--source", f"corpus/train.{language}", "--target", "corpus/few.en", "--align", "corpus/train.align", ONE, "-o", "x"],
        ["extract", "--system", "tbmt", "--source", "corpus/broken/bad.conllu", "--target", "corpus/broken/bad.en", "--align", "corpus/broken/bad.align", ONE, "-o", "x"]))
    plan.add("wrong.tables", *numbered(
        *(["table", "build", *options, ONE, "-o", "x"] for options in (
            ["--system", "pbmt"], ["--system", "pbmt", training, "occ"], ["--system", "pbmt", *training, "--scores", "q4"], ["--dump", "corpus/few.en"],
            ["--dump", "corpus/few.en", "--counts"], ["--system", "pbmt", "corpus/few.en"], ["--system", "pbmt", "corpus/few.en", "--lexicon", "corpus/few.en"],
            ["--system", "pbmt", *training, "-S", "1K"], ["--system", "pbmt", *training, "-S", "120%"], ["--system", "pbmt", *training, "--keep", "-1"],
            ["--system", "pbmt", "--source", "corpus/broken/empty", "--target", "corpus/broken/empty", "--align", "corpus/broken/empty"])),
        ["table", "build", "--system", "pbmt", training, "-o", "-"], ["table", "inspect", "corpus/broken/not-a-table"], ["table", "dump", "nowhere"],
        ["table", "inspect", "given/table.pbmt/rules.graft", "nosuchword"], ["table", "inspect", "given/table.hpbmt/rules.graft", "--source", "[X,1] nosuchword"],
        ["table", "prune", "given/table.pbmt/rules.graft", "-o", "x"], ["table", "prune", "given/table.pbmt/rules.graft", "--min-count", "2", "-o", "x"],
        ["table", "prune", "given/table.pbmt/rules.graft", "--min-prob", "2", "-o", "x"], ["table", "import", "-o", "x"],
        ["table", "import", "--moses", "corpus/rule-table", "-o", "x"], ["table", "import", "--moses-hierarchical", "corpus/phrase-table", "-o", "x"],
        ["table", "import", "--moses", "corpus/phrase-table", "--moses-glue", "corpus/glue-grammar", "-o", "x"],
        ["table", "import", "--moses", "corpus/phrase-table", "--moses-hierarchical", "corpus/rule-table", "-o", "x"],
        ["table", "import", "--moses", "corpus/phrase-table", "-o", "x.gz"], ["table", "import", "--moses", "corpus/train.align", "-o", "x"]))
    plan.add("wrong.models", *numbered(
        *(["translate", "-m", PBMT, "--set", key, text] for key in (
            "search.beem=500", "search.beam=x", "search.beam=-1", "serch.beam=3", "beam=3", "search.glue_limit=3", "weights.Gap=1.0", "weights.LM=x", "search.algorithm=fast",
            "search.distortion_rule=paper2", "text.lowercase=maybe", "system.name=hpbmt", "system.max_length=3", "search.max_span=45", "search.threshold=2", "nonsense")),
        *(["translate", "-m", DBG, "--set", key, trees] for key in ("search.max_span=45", "search.distortion_rule=moses", "search.distortion_limit=60", "text.tokeniser=icu")),
        *(["translate", "-m", HPBMT, "--set", key, text] for key in ("search.distortion_limit=3", "search.max_span=300", "search.algorithm=exhaustive", "weights.Jump=1")),
        ["translate", "-m", DBG, text], ["translate", "-m", DBG, "--input", "raw", text], ["translate", "-m", PBMT, "--input", "raw", text],
        ["translate", "-m", "nowhere", text], ["translate", "-m", PBMT, "nowhere.txt"], ["translate", "-m", "corpus", text], ["translate", "-m", PBMT, "--nbest", "0", text],
        ["translate", "-m", PBMT, "--distinct", text], ["translate", "-m", PBMT, "--max-edges", "5", text], ["translate", "-m", PBMT, "--rescore", "-", "-"],
        ["translate", "-m", PBMT, "--rescore", "corpus/broken/bad.nbest", text], ["translate", "-m", PBMT, "--rescore", "corpus/few.en", text],
        ["translate", "-m", PBMT, "--rescore", "corpus/few.nbest", "--nbest", "3", text], ["translate", "-m", PBMT, "--rescore", "corpus/few.nbest", "--explain", text],
        ["translate", "-m", DBG, ONE, "corpus/broken/bad.conllu"], ["translate", "-m", PBMT, ONE, "corpus/broken/bad.utf8"], ["translate", "-m", PBMT, "-o", "no/folder/out", text],
        ["model", "new", "--table", "given/table.pbmt/rules.graft", "--lm", "given/lm/lm.bin", "--weights", "corpus/broken/bad.toml", "-o", "x"],
        ["model", "new", "--table", "corpus/broken/not-a-table", "--lm", "given/lm/lm.bin", "-o", "x"],
        ["model", "new", "--table", "given/table.pbmt/rules.graft", "--lm", "corpus/broken/not-a-table", "-o", "x"],
        ["model", "new", "--table", "given/table.pbmt/rules.graft", "--lm", "given/lm/lm.bin", "--truecase-source", "x", "-o", "x"],
        ["model", "new", "--table", "given/table.pbmt/rules.graft", "--lm", "given/lm/lm.bin", "--tokeniser", "moses", "-o", "x"],
        ["model", "new", "--table", "given/table.seggbmt-dbg/rules.graft", "--lm", "given/lm/lm.bin", "--tokeniser", "icu", "-o", "x"]))
    held = ["--source", "corpus/held." + language, "--references", "corpus/held.en"]
    plan.add("wrong.others", *numbered(
        ["combine", "-m", "nowhere", trees], ["combine", "-m", PBMT, "-m", DBG, text], ["combine", "-m", PBMT, "--weights", "1,2", trees], ["combine", "-m", PBMT, "--nbest", "0", trees],
        ["combine", "-m", PBMT, "-m", "given/model.seggbmt-dbg-lower/model", trees], ["combine", "-m", PBMT, "-m", HPBMT, "--weights", "0,0", trees],
        ["tune", "-m", PBMT, held, "--method", "mert", "-o", "x"], ["tune", "-m", PBMT, "--source", text, "--references", "corpus/train.en", "-o", "x"],
        ["tune", "-m", PBMT, "--source", "corpus/broken/empty", "--references", "corpus/broken/empty", "-o", "x"], ["tune", "-m", PBMT, held, "-o", "no/folder/x"],
        ["tune", "-m", PBMT, held, "--iterations", "0", "-o", "x"], ["tune", "-m", PBMT, held, "--set", "search.bem=2", "-o", "x"],
        ["eval", "corpus/few.en", "corpus/train.en"], ["eval", "nowhere", "corpus/few.en"], ["eval", "corpus/few.en", "corpus/few.en", "--metrics", "blue"],
        ["eval", "corpus/few.en", "corpus/few.en", "--tokenize", "13b"], ["eval", "corpus/few.en", "corpus/few.en", "--smooth", "no"],
        ["eval", "corpus/few.en", "corpus/few.en", "--json", "--score-only"], ["eval", "corpus/few.en", "corpus/few.en", "--width", "99"],
        ["compare", "--ref", "corpus/few.en", "--system", "a"], ["compare", "--ref", "corpus/few.en", "--system", "a", "corpus/few.en", "--baseline", "b"],
        ["compare", "--ref", "corpus/few.en", "--system", "a", "corpus/few.en", "--system", "b", "corpus/few.en", "corpus/few.en"],
        ["compare", "--ref", "corpus/few.en", "--system", "a", "corpus/train.en", "--system", "b", "corpus/few.en"],
        ["lm", "nowhere", "-o", "x"], ["lm", "corpus/few.en", "--order", "9", "-o", "x"], ["lm", "corpus/broken/empty", "-o", "x"], ["lm", "corpus/few.en", "--prune", "2", "1", "-o", "x"],
        ["align", text, "corpus/train.en"], ["align", text, "corpus/few.en", "--symmetrise", "grow-dig"], ["align", text, "corpus/few.en", "--method", "ibm4"],
        ["align", "-", "-"], ["align", text, "corpus/few.en", "--score", "corpus/few.en", "-o", "x"],
        ["tokenise", "--undo", "--truecase-train", "x", text], ["tokenise", "--tokenised", text], ["tokenise", "--truecase", text, text], ["tokenise", "corpus/broken/bad.utf8"],
        ["check"], ["check", "--source", "nowhere"], ["check", "--source", text, "--input", "xml"]))
    settings = {"corpus.sorce=x": "key", "tune.iteration=3": "tune", "tune.iterations=x": "type", "lm.order=7": "order", "system.name=pbtm": "system", "system.mgs=1": "mgs",
                "align.symmetrise=grow-dig": "symmetrise", "tune.runs=0": "runs", "outptu=x": "output", "corpus.truecase=true": "case", "search.glue_limit=2": "search",
                "system.max_lenght=4": "length", "corpus.target=corpus": "folder", "dev.source=nowhere": "nowhere", "lm.file=corpus/few.en": "lm", "corpus.tokenised=false": "tokens"}
    good = plan.configuration('[system]\nname = "pbmt"\n', 'lowercase = true\nalign = "corpus/train.align"\n')
    rows = {"none": "", "twice": '[[row]]\nname = "pbmt"\n' * 2, "graph": '[[row]]\nname = "seggbmt"\n', "key": '[[row]]\nname = "pbmt"\ngrph = "dbg"\n',
            "baseline": 'baselines = ["hpbmt"]\n[[row]]\nname = "pbmt"\n', "id": '[[row]]\nname = "pbmt"\nid = "../x"\n',
            "consensus": '[[row]]\nname = "pbmt"\n[[consensus]]\nnbest = 3\n', "readings": '[[row]]\nname = "tbmt"\nupos = true\n[[row]]\nname = "serg"\n'}
    plan.add("wrong.training", call("none", "train"), call("absent", "train", "absent.toml"), call("folder", "train", "--quick", text, "corpus/few.en"),
             call("swapped", "train", "--quick", "corpus/few.en", trees, "-o", "x"), call("quick-absent", "train", "--quick", "absent", "corpus/few.en", "-o", "x"),
             call("memory", "train", "good.toml", "-S", "1K"), call("syntax", "train", "syntax.toml"), call("no-experiment", "experiment", "good.toml", "--dry-run"),
             *(call(f"set-{label}", "train", "good.toml", "--dry-run", "--set", key) for key, label in settings.items()),
             *(call(f"rows-{label}", "experiment", f"{label}.toml", "--dry-run") for label in rows),
             files={"good.toml": good, "syntax.toml": 'output = "x\n', **{f"{label}.toml": plan.configuration(head, "") for label, head in rows.items()}})
    return plan.cases
