"""What `bench/same` can run on a corpus: kinds of cases, and how those that need others are given their files."""
from harness.cases import Call, Case
from harness.systems import SYSTEMS, has_grammar, reads_text, weights


def settings(*keys):
    return [word for key in keys for word in ("--set", key)]


ONE, TWO = ["--threads", "1"], ["--threads", "2"]
SCORES = {"f32": ["--scores", "f32"], "q8": ["--scores", "q8"], "counts": ["--counts"], "keep": ["--keep", "3"],
          "all": ["--scores", "f32", "--counts", "--keep", "10"]}
TUNING = ["--iterations", "2", "--runs", "2", "--nbest", "50", *settings("search.beam=50", "search.pop_limit=200")]
NARROW = settings("search.beam=20", "search.pop_limit=50", "search.table_limit=5", "search.threshold=0.01")


def call(label, *arguments, stdin="", fails=False):
    words = []
    for argument in arguments:
        words += [str(a) for a in argument] if isinstance(argument, (list, tuple)) else [str(argument)]
    return Call(label, words, stdin, fails)


class Plan:
    """Collects the cases of one corpus. Names of systems are keys of SYSTEMS and VARIANTS, or given with their options."""

    def __init__(self, corpus, lower=False):
        self.corpus, self.language = corpus.name, corpus.language
        self.lower = ["--lowercase"] if lower else []
        self.cases = []

    def add(self, name, *calls, files=None):
        self.cases.append(Case(self.corpus, name, list(calls), files or {}))

    def source(self, part, options):
        return f"corpus/{part}.{self.language}" + ("" if reads_text(options) else ".conllu")

    def training(self, options, align="train.align", trees=False):
        return ["--source", f"corpus/train.{self.language}.conllu" if trees else self.source("train", options), "--target",
                "corpus/train.en", "--align", f"corpus/{align}", *self.lower]

    # --- building

    def table(self, name, options, align="train.align", trees=False):
        self.add(f"table.{name}", call("build", "table", "build", options, self.training(options, align, trees), ONE, "-o", "rules.graft"))

    def threads_and_memory(self, name, options):
        self.add(f"table-2.{name}", call("build", "table", "build", options, self.training(options), TWO, "-S", "300K", "-o",
                                         "rules.graft"))

    def occurrences(self, name, options, suffix=""):
        self.add(f"extract.{name}", call("extract", "extract", options, self.training(options), ONE, "-o", f"occurrences{suffix}",
                                         "--lexicon", "lexicon"))

    def from_text(self, name, options, suffix=""):
        """The table from occurrences, its dump, and the table from that."""
        self.add(f"merge.{name}", call("build", "table", "build", options, f"given/extract.{name}/occurrences{suffix}", "--lexicon",
                                       f"given/extract.{name}/lexicon", ONE, "-o", "rules.graft"))
        self.dump(name, f"given/table.{name}/rules.graft")
        self.add(f"restore.{name}", call("build", "table", "build", "--dump", f"given/dump.{name}/dump", ONE, "-o", "rules.graft"))

    def dump(self, name, table):
        self.add(f"dump.{name}", call("dump", "table", "dump", table, "-o", "dump"), call("inspect", "table", "inspect", table, "--verify"),
                 call("json", "table", "inspect", table, "--json"))

    def prune(self, name, table):
        self.add(f"prune.{name}", call("keep", "table", "prune", table, "--keep", "2", "-o", "keep.graft"),
                 call("probability", "table", "prune", table, "--min-prob", "0.1", "-o", "probability.graft"),
                 call("count", "table", "prune", table, "--min-count", "2", "-o", "count.graft"))

    def scores(self, name):
        for label, options in SCORES.items():
            self.table(f"{name}-{label}", [*SYSTEMS[name], *options])
        self.dump(f"{name}-all", f"given/table.{name}-all/rules.graft")
        self.add(f"restore.{name}-all", call("build", "table", "build", "--dump", f"given/dump.{name}-all/dump", ONE, "-o", "rules.graft"))
        self.prune(name, f"given/table.{name}-counts/rules.graft")

    # --- translating

    def model(self, name, lower=False):
        self.add(f"model.{name}",
                 call("tuned", "model", "new", "--table", f"given/table.{name}/rules.graft", "--lm", "given/lm/lm.bin", "--weights",
                      "weights",
                      ["--lowercase"] if lower else self.lower, "-o", "model"),
                 call("default", "model", "new", "--table", f"given/table.{name}/rules.graft", "--lm", "given/lm/lm.arpa", "-o", "default"),
                 files={"weights": weights(name)})

    def translate(self, name, options, *more):
        """The best translations, and everything else that `translate` writes, for fewer sentences."""
        verb, few = ["translate", "-m", f"given/model.{name}/model", *more], self.source("few", options)
        self.add(f"translate.{name}", call("best", verb, ONE, self.source("test", options)))
        self.add(f"show.{name}",
                 call("nbest", verb, ONE, "--nbest", "20", few),
                 call("distinct", verb, ONE, "--nbest", "5", "--distinct", "--alignment", few),
                 call("explain", verb, ONE, "--explain", few),
                 call("json", verb, ONE, "--json", "--explain", "--nbest", "3", few))

    def translate_more(self, name, options):
        verb, few = ["translate", "-m", f"given/model.{name}/model"], self.source("few", options)
        forced = [*verb, *ONE, "--rescore"]
        self.add(f"show-2.{name}",
                 call("threads", verb, TWO, self.source("test", options)),
                 call("alignment", verb, TWO, "--alignment", "-o", "written.zst", few),
                 call("explained-list", verb, TWO, "--explain", "--nbest", "3", few),
                 call("plain-json", verb, ONE, "--json", few),
                 call("stats", verb, ONE, "--stats", few),
                 call("stdin", verb, ONE, "--input", "text" if reads_text(options) else "conllu", "-", stdin="\n"))
        self.add(f"rescore.{name}", call("list", forced, f"given/show.{name}/nbest.stdout", few),
                 call("references", forced, "corpus/few.nbest", few),
                 call("small", forced, f"given/show.{name}/nbest.stdout", "--max-edges", "500", few))
        exhaustive = [] if has_grammar(name) else [
            call("exhaustive", verb, ONE, settings("search.algorithm=exhaustive", "search.beam=20", "search.distortion_limit=3"), "--nbest",
                 "3", few)]
        self.add(f"settings.{name}", call("narrow", verb, ONE, NARROW, "--nbest", "3", few), *exhaustive,
                 *self.own_settings(name, verb, few))

    def own_settings(self, name, verb, few):
        own = {"pbmt": [["search.distortion_rule=moses"], ["search.max_span=5"]], "seggbmt-dbg": [["search.max_span=8", "weights.Gap=0"]],
               "hpbmt": [["search.max_span=6"], ["weights.Glue=1"]], "dep2str": [["weights.Glue=1"]],
               "gramgbmt-b-dsg": [["search.glue_order=free", "search.glue_limit=-1"], ["search.glue_distortion=jump"],
                                  ["search.max_words=6", "search.active_limit=50"]]}
        return [call(f"set-{number}", verb, ONE, settings(*keys), few) for number, keys in enumerate(own.get(name, []), 1)]

    def tune(self, name, options, *more):
        self.add(f"tune.{name}", call("tune", "tune", "-m", f"given/model.{name}/model", "--source", self.source("held", options),
                                      "--references",
                                      "corpus/held.en", TUNING, ONE, more, "-o", "weights.toml"))

    # --- verbs that know no systems

    def language_models(self):
        self.add("lm", call("bin", "lm", "corpus/train.en", self.lower, "-o", "lm.bin"),
                 call("arpa", "lm", "corpus/train.en", self.lower, "-o", "lm.arpa"),
                 call("small", "lm", "corpus/train.en", "corpus/dev.en", "--order", "3", "--prune", "0", "1", "--lowercase", "-S", "64M",
                      "-o", "small.arpa"),
                 call("stdout", "lm", "corpus/dev.en", "--order", "2", "-o", "-"))

    def alignments(self):
        sides = [f"corpus/train.{self.language}.conllu", "corpus/train.en"]
        ways = ("grow-diag-final", "grow-diag", "intersect", "union")
        self.add("align", call("hmm", "align", sides, ONE, "-o", "links"), call("threads", "align", sides, TWO, "--lowercase", "-o",
            "links.lower"),
                 call("ibm1", "align", sides, ONE, "--method", "ibm1", "-o", "links.ibm1"),
                 call("score", "align", f"corpus/train.{self.language}", "corpus/train.en", ONE, "--score", "corpus/train.align", "-o",
                      "links.text"),
                 *(call(way, "align", sides, ONE, "--symmetrise", way, "-o", f"links.{way}") for way in ways))

    def evaluations(self, *systems):
        """`eval` and `compare` of translations of systems that read trees or text."""
        best = [f"given/translate.{name}/best.stdout" for name in systems]
        tests = ["--shuffles", "500", "--replicas", "500", *ONE]
        pairs = [word for name, path in zip(systems, best) for word in ("--system", name, path)]
        self.add("eval", *(call(name, "eval", path, "corpus/test.en", ONE) for name, path in zip(systems, best)),
                 *(call(f"tokens-{name}", "eval", best[0], "corpus/test.en", "--tokenize", name, "--metrics", "bleu") for name in ("zh",
                     "none", "intl", "char")),
                 *(call(f"smooth-{name}", "eval", best[0], "corpus/test.en", "--smooth", name, "--metrics", "bleu") for name in ("floor",
                     "add-k", "none")),
                 call("two", "eval", best[0], "corpus/test.en", best[-1], "--lowercase", TWO),
                 call("json", "eval", best[0], "corpus/test.en", "--json", "--width", "8"),
                 call("score", "eval", best[0], "corpus/test.en", "--score-only", "--ter-case-sensitive", "--metrics", "ter,bleu", "-o",
                      "scores"))
        self.add("compare", call("text", "compare", "--ref", "corpus/test.en", pairs, tests),
                 call("json", "compare", "--ref", "corpus/test.en", pairs, tests, "--json"),
                 call("markdown", "compare", "--ref", "corpus/test.en", pairs, tests, "--markdown", "--metrics", "bleu,chrf++",
                      "--baseline", systems[-1]),
                 call("multeval", "compare", "--ref", "corpus/test.en", pairs, tests, "--multeval", "--seed", "7", "--alpha", "0.5",
                      "--lowercase"),
                 call("runs", "compare", "--ref", "corpus/test.en", "--system", "a", best[:2], "--system", "b", best[1:3], tests, "-o",
                      "runs"))

    def combine(self, systems, part="few"):
        models = [word for name in systems for word in ("-m", f"given/model.{name}/model")]
        source = f"corpus/{part}.{self.language}.conllu"
        self.add("combine", call("text", "combine", models, ONE, "--nbest", "30", source),
                 call("json", "combine", models, TWO, "--nbest", "20", "--json", source),
                 call("weights", "combine", models, ONE, "--nbest", "20", "--scale", "3", "--weights",
                      ",".join(["2"] + ["1"] * (len(systems) - 1)), "-o", "out", source))

    def texts(self):
        """`tokenise` and `check`."""
        train, raw = f"corpus/train.{self.language}", f"corpus/raw.{self.language}"
        self.add("tokenise", *(call(f"as-{name}", "tokenise", ONE, "--language", name, raw) for name in (self.language, "fr", "en")),
                 call("english", "tokenise", TWO, "--language", "en", "corpus/raw.en", "-o", "english", "--truecase-train", "cases"),
                 call("undo", "tokenise", "--undo", "--language", "en", "corpus/train.en", ONE),
                 call("plain", "tokenise", "corpus/raw.en", ONE),
                 call("learn", "tokenise", "--tokenised", "--truecase-train", "cases.tokens", train, ONE, "-o", "unchanged"),
                 call("stdin", "tokenise", "--language", "en",
                      stdin="Mr. Smith's dog (a poodle) didn't bark at 3.30 p.m.; http://x.org/a?b=1 \u201cWhy?\u201d\n\n  two  spaces \n"))
        self.add("truecase", call("apply", "tokenise", "--tokenised", "--truecase", "given/tokenise/cases.tokens", train, ONE),
                 call("undo", "tokenise", "--undo", "--language", "en", "--truecase", "given/tokenise/cases", "given/tokenise/english",
                      ONE))
        self.add("check", call("good", "check", "--source", f"{train}.conllu", "--target", "corpus/train.en", "--align",
                               "corpus/train.align"),
                 call("bad", "check", "--source", "corpus/broken/bad.conllu", "--target", "corpus/broken/bad.en", "--align",
                      "corpus/broken/bad.align", "--write-clean", "clean", fails=True),
                 call("short", "check", "--source", "corpus/broken/bad.conllu", "--target", "corpus/broken/short.en", fails=True),
                 call("text", "check", "--source", "corpus/broken/bad.utf8", "--target", "corpus/broken/bad.utf8", fails=True),
                 call("words", "check", "--words", "--source", f"{train}.conllu", "--target", "corpus/train.en", "--align",
                      "corpus/train.align"))

    def imports(self):
        phrases, rules = ["--moses", "corpus/phrase-table"], ["--moses-hierarchical", "corpus/rule-table", "--moses-glue",
                                                              "corpus/glue-grammar"]
        self.add("table.pbmt-moses", call("import", "table", "import", phrases, ONE, "-o", "rules.graft"),
                 call("f32", "table", "import", phrases, TWO, "--scores", "f32", "--counts", "-S", "200K", "-o", "f32.graft"),
                 call("q8", "table", "import", phrases, ONE, "--scores", "q8", "--keep", "2", "-o", "q8.graft"),
                 call("dump", "table", "dump", "f32.graft"))
        self.add("table.hpbmt-moses", call("import", "table", "import", rules, ONE, "--scores", "f32", "--counts", "-o", "rules.graft"),
                 call("q16", "table", "import", rules, TWO, "-o", "q16.graft"), call("dump", "table", "dump", "rules.graft"),
                 call("source", "table", "inspect", "rules.graft", "--source", "[X,1] in [X,2]", fails=self.language == "zh"))

    def learning(self):
        """`train` and `experiment`, from the beginning, again, and with something changed."""
        quick = [*settings("tune.iterations=2", "tune.runs=2", "search.beam=30", "search.pop_limit=100"), *ONE]
        text, trees = [f"corpus/train.{self.language}", "corpus/train.en"], [f"corpus/train.{self.language}.conllu", "corpus/train.en"]
        raw = [f"corpus/raw.{self.language}", "corpus/raw.en"]
        self.add("quick.text", call("plan", "train", "--quick", text, "-o", "model", "--dry-run"),
                 call("train", "train", "--quick", text, "-o", "model", quick),
                 call("again", "train", "--quick", text, "-o", "model", quick), call("seed", "train", "--quick", text, "-o", "model", quick,
                     "--set", "tune.seed=7"))
        self.add("quick.trees", call("train", "train", "--quick", trees, "-o", "model", quick))
        self.add("quick.raw", call("train", "train", "--quick", raw, "-o", "model", "--raw", quick,
                                   settings("corpus.truecase=true", "tune.runs=1")))
        self.add("translate.raw", call("raw", "translate", "-m", "given/quick.raw/model", ONE, f"corpus/raw.{self.language}"),
                 call("json", "translate", "-m", "given/quick.raw/model", ONE, "--json", "--explain", "--input", "raw", "-",
                      stdin="Das ist alles. Wir gehen nach Hause.\n"),
                 call("tokens", "translate", "-m", "given/quick.raw/model", ONE, "--input", "text", "--alignment",
                      f"corpus/few.{self.language}"))
        self.add("train", call("plan", "train", "train.toml", "--dry-run"), call("train", "train", "train.toml", ONE),
                 call("again", "train", "train.toml", TWO),
                 files={"train.toml": self.configuration('[system]\nname = "gramgbmt-c"\ngraph = "dsg"\npos = true\n',
                                                         'lowercase = true\nalign = "corpus/train.align"\n')})
        rows = [f'name = "{options[1]}"' + (f'\ngraph = "{options[3]}"' if len(options) > 2 else "") for options in SYSTEMS.values()]
        rows += ['name = "seggbmt"\ngraph = "dbg"\nedge_labels = true', 'name = "serg"\npos = true\nmgs = 1',
                 'name = "dep2str"\nfloating = true\nextend = false']
        head = 'baselines = ["pbmt", "hpbmt"]\n' + "".join(f"[[row]]\n{row}\n" for row in rows) + '[[consensus]]\nrows = ["pbmt", "seggbmt-dbg"]\nnbest = 10\n'
        report = "[report]\nspeed_sentences = %d\nerror_sentences = 10\nexamples = 4\n"
        self.add("experiment", call("plan", "experiment", "all.toml", "--dry-run"), call("run", "experiment", "all.toml", ONE),
                 call("again", "experiment", "all.toml", ONE),
                 files={"all.toml": self.configuration(head, "limit = 400\n") + report % 0})
        two = 'baselines = ["pbmt"]\n' + "".join(f"[[row]]\n{row}\n" for row in (rows[0], rows[7]))
        self.add("experiment-speed", call("run", "experiment", "two.toml", TWO),
                 files={"two.toml": self.configuration(two, "limit = 300\n") + report % 10})

    def configuration(self, head, corpus):
        text = f'output = "results"\n{head}[corpus]\nsource = "corpus/train.{self.language}.conllu"\ntarget = "corpus/train.en"\n{corpus}[lm]\norder = 3\n'
        for section, part in (("dev", "held"), ("test.unseen", "few")):
            text += f'[{section}]\nsource = "corpus/{part}.{self.language}.conllu"\nreferences = ["corpus/{part}.en"]\n'
        return text + "[tune]\nruns = 2\niterations = 2\n[search]\nbeam = 30\npop_limit = 100\n"
