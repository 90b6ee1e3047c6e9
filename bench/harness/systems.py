"""The systems that are measured and compared: options of `graft table build`, and weights to translate with."""

SYSTEMS = {
    "pbmt": ["--system", "pbmt"],
    "sdtu": ["--system", "sdtu"],
    "tbmt": ["--system", "tbmt"],
    "seggbmt-tree": ["--system", "seggbmt", "--graph", "tree"],
    "seggbmt-dsg": ["--system", "seggbmt", "--graph", "dsg"],
    "seggbmt-dbg": ["--system", "seggbmt", "--graph", "dbg"],
    "seggbmt-union": ["--system", "seggbmt-union"],
    "hpbmt": ["--system", "hpbmt"],
    "dep2str": ["--system", "dep2str"],
    "serg": ["--system", "serg"],
    "gramgbmt-c-tree": ["--system", "gramgbmt-c", "--graph", "tree"],
    "gramgbmt-c-dsg": ["--system", "gramgbmt-c", "--graph", "dsg"],
    "gramgbmt-c-dbg": ["--system", "gramgbmt-c", "--graph", "dbg"],
    "gramgbmt-b-tree": ["--system", "gramgbmt-b", "--graph", "tree"],
    "gramgbmt-b-dsg": ["--system", "gramgbmt-b", "--graph", "dsg"],
    "gramgbmt-b-dbg": ["--system", "gramgbmt-b", "--graph", "dbg"],
}
# Settings that change which rules there are: (name, options after those of the system).
VARIANTS = {
    "pbmt-short": SYSTEMS["pbmt"] + ["--max-length", "4"],
    "sdtu-span": SYSTEMS["sdtu"] + ["--max-span", "8"],
    "tbmt-nonprojective": SYSTEMS["tbmt"] + ["--no-projectivise"],
    "seggbmt-dsg-labels": SYSTEMS["seggbmt-dsg"] + ["--edge-labels"],
    "seggbmt-dbg-labels": SYSTEMS["seggbmt-dbg"] + ["--edge-labels"],
    "seggbmt-dsg-nonprojective": SYSTEMS["seggbmt-dsg"] + ["--no-projectivise"],
    "seggbmt-dbg-lower": SYSTEMS["seggbmt-dbg"] + ["--lowercase"],
    "hpbmt-mgs1": SYSTEMS["hpbmt"] + ["--mgs", "1"],
    "hpbmt-adjacent": SYSTEMS["hpbmt"] + ["--adjacent-nt"],
    "hpbmt-symbols": SYSTEMS["hpbmt"] + ["--max-symbols", "4", "--max-length", "8"],
    "hpbmt-lower": SYSTEMS["hpbmt"] + ["--lowercase"],
    "dep2str-no-blocks": SYSTEMS["dep2str"] + ["--no-blocks"],
    "dep2str-floating": SYSTEMS["dep2str"] + ["--floating"],
    "dep2str-no-extend": SYSTEMS["dep2str"] + ["--no-extend"],
    "serg-pos": SYSTEMS["serg"] + ["--pos"],
    "serg-pos-upos": SYSTEMS["serg"] + ["--pos", "--upos"],
    "serg-mgs1": SYSTEMS["serg"] + ["--mgs", "1"],
    "serg-pos-mgs1": SYSTEMS["serg"] + ["--pos", "--mgs", "1"],
    "gramgbmt-c-tree-pos": SYSTEMS["gramgbmt-c-tree"] + ["--pos"],
    "gramgbmt-c-dsg-pos": SYSTEMS["gramgbmt-c-dsg"] + ["--pos"],
    "gramgbmt-c-dsg-labels": SYSTEMS["gramgbmt-c-dsg"] + ["--edge-labels"],
    "gramgbmt-c-dsg-mgs1": SYSTEMS["gramgbmt-c-dsg"] + ["--mgs", "1"],
    "gramgbmt-c-dsg-adjacent": SYSTEMS["gramgbmt-c-dsg"] + ["--adjacent-nt"],
    "gramgbmt-c-dbg-labels": SYSTEMS["gramgbmt-c-dbg"] + ["--edge-labels"],
    "gramgbmt-c-tree-nonprojective": SYSTEMS["gramgbmt-c-tree"] + ["--no-projectivise"],
    "gramgbmt-b-tree-adjacent": SYSTEMS["gramgbmt-b-tree"] + ["--adjacent-nt"],
    "gramgbmt-b-dsg-pos": SYSTEMS["gramgbmt-b-dsg"] + ["--pos"],
    "gramgbmt-b-dsg-labels": SYSTEMS["gramgbmt-b-dsg"] + ["--edge-labels"],
    "gramgbmt-b-dsg-mgs1": SYSTEMS["gramgbmt-b-dsg"] + ["--mgs", "1"],
}
WITHOUT_TREES = ("pbmt", "sdtu", "hpbmt")
GRAMMARS = ("hpbmt", "dep2str", "serg", "gramgbmt")

# Weights tuned for Multi30k by Moses (its PBMT and its hierarchical system), in Graft's signs; gaps and distances of glue rules weigh
# what jumps do.
JUMP = 0.122938862107702
WEIGHTS = """[weights]
TranslationModel = [0.146175358968551, 0.0232270766594186, 0.101618678445175, 0.109420873055546]
LM = 0.184932509926319
RulePenalty = -0.0638141017449789
WordPenalty = -0.24787253909231
"""
GRAMMAR_WEIGHTS = """[weights]
TranslationModel = [0.177610289133893, 0.00970667392091834, 0.146363502492555, 0.0856040598888672]
LM = 0.218025945551081
RulePenalty = -0.150849671456362
WordPenalty = -0.144720306670251
Glue = -0.217962510387346
"""
# A documented setting of systems with a grammar that loses nothing measurable against Moses (tests/cli/test_moses_parity.py).
FAST = ["--set", "search.pop_limit=400", "--set", "search.beam=100"]


def has_grammar(system):
    return system.startswith(GRAMMARS)


def reads_text(options):
    """Whether a system with these options reads plain text."""
    return options[1] in WITHOUT_TREES


def weights(system):
    """Contents of a weights file for a system."""
    if has_grammar(system):
        return GRAMMAR_WEIGHTS + (f"Gap = {JUMP}\nGlueDistortion = {JUMP}\n" if system.startswith("gramgbmt-b") else "")
    return WEIGHTS + f"Jump = {JUMP}\n" + ("" if system.startswith("pbmt") else f"Gap = {JUMP}\n")
