"""English morphology: plurals, articles, verb forms, comparatives and finite verb groups."""

IRREGULAR_VERBS = {line.split()[0]: line.split()[1:] for line in """
be is was been being
have has had had having
do does did done doing
go goes went gone going
come comes came come coming
buy buys bought bought buying
sell sells sold sold selling
eat eats ate eaten eating
drink drinks drank drunk drinking
write writes wrote written writing
read reads read read reading
see sees saw seen seeing
sing sings sang sung singing
wear wears wore worn wearing
find finds found found finding
lose loses lost lost losing
teach teaches taught taught teaching
know knows knew known knowing
draw draws drew drawn drawing
drive drives drove driven driving
ride rides rode ridden riding
make makes made made making
take takes took taken taking
build builds built built building
put puts put put putting
give gives gave given giving
meet meets met met meeting
send sends sent sent sending
steal steals stole stolen stealing
break breaks broke broken breaking
bring brings brought brought bringing
hold holds held held holding
stand stands stood stood standing
sit sits sat sat sitting
lie lies lay lain lying
hang hangs hung hung hanging
get gets got got getting
say says said said saying
tell tells told told telling
think thinks thought thought thinking
sleep sleeps slept slept sleeping
leave leaves left left leaving
forget forgets forgot forgotten forgetting
understand understands understood understood understanding
spend spends spent spent spending
throw throws threw thrown throwing
begin begins began begun beginning
feel feels felt felt feeling
win wins won won winning
swim swims swam swum swimming
run runs ran run running
stop stops stopped stopped stopping
chat chats chatted chatted chatting
plan plans planned planned planning
shut shuts shut shut shutting
cut cuts cut cut cutting
speak speaks spoke spoken speaking
hear hears heard heard hearing
catch catches caught caught catching
pay pays paid paid paying
grow grows grew grown growing
fall falls fell fallen falling
show shows showed shown showing
choose chooses chose chosen choosing
keep keeps kept kept keeping
lend lends lent lent lending
quarrel quarrels quarrelled quarrelled quarrelling
cancel cancels cancelled cancelled cancelling
travel travels travelled travelled travelling
feed feeds fed fed feeding
fly flies flew flown flying
hide hides hid hidden hiding
set sets set set setting
hurt hurts hurt hurt hurting
""".split("\n") if line}  # lemma: third person, past, participle, -ing
IRREGULAR_PLURALS = {
    "child": "children",
    "man": "men",
    "woman": "women",
    "knife": "knives",
    "policeman": "policemen",
    "fish": "fish",
    "series": "series",
    "shelf": "shelves",
    "bookshelf": "bookshelves",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "grandchild": "grandchildren",
    "wife": "wives",
    "leaf": "leaves",
    "scarf": "scarves",
    "person": "people",
    "sheep": "sheep",
    "foot": "feet",
    "photo": "photos",
    "piano": "pianos",
    "radio": "radios",
    "policy": "policies",
}
AN_EXCEPTIONS = {"hour", "honest"}
A_EXCEPTIONS = ("uni", "use", "euro", "one")
BE_PRESENT = {"1s": "am", "3s": "is"}
BE_PAST = {"1s": "was", "3s": "was"}
VOWELS = "aeiou"


def plural(noun):
    first, _, last = noun.rpartition(" ")
    if last in IRREGULAR_PLURALS:
        last = IRREGULAR_PLURALS[last]
    elif last.endswith(("s", "x", "ch", "sh")):
        last += "es"
    elif last.endswith("y") and last[-2] not in VOWELS:
        last = last[:-1] + "ies"
    else:
        last += "s"
    return f"{first} {last}".strip()


def article(following):
    """The indefinite article before the text `following`."""
    word = following.split()[0].lower()
    if word in AN_EXCEPTIONS:
        return "an"
    return "an" if word[0] in VOWELS and not word.startswith(A_EXCEPTIONS) else "a"


def third(verb):
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb][0]
    if verb.endswith(("s", "x", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in VOWELS else verb + "s"


def past(verb):
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb][1]
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in VOWELS else verb + "ed"


def participle(verb):
    return IRREGULAR_VERBS[verb][2] if verb in IRREGULAR_VERBS else past(verb)


def gerund(verb):
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb][3]
    return verb[:-1] + "ing" if verb.endswith("e") and not verb.endswith("ee") else verb + "ing"


def present(verb, person):
    if verb == "be":
        return BE_PRESENT.get(person, "are")
    return third(verb) if person == "3s" else verb


def preterite(verb, person):
    return BE_PAST.get(person, "were") if verb == "be" else past(verb)


def comparative(adjective):
    irregular = {
        "good": "better",
        "bad": "worse",
        "far": "farther",
        "big": "bigger",
        "hot": "hotter",
        "thin": "thinner",
    }
    if adjective in irregular:
        return irregular[adjective]
    if adjective.endswith("y") and len(adjective) <= 6:
        return adjective[:-1] + "ier"
    if len(adjective) <= 5 or adjective in ("strict", "strong", "bright", "clever", "narrow"):
        return adjective + ("r" if adjective.endswith("e") else "er")
    return "more " + adjective


def verb_group(lemma, person, tense, links, aux=(), negation=(), modal=None, adverb=()):
    """English tokens of a finite verb.

    `lemma` may carry further words ("turn off"): only the first is inflected, all are linked to `links`.
    tense: present, past, perfect, progressive, future or modal (`modal` gives the English). `aux` are the words the
    auxiliary is linked to, `negation` those of "not"; `adverb` is a list of tokens placed as often, already, never are.
    A modal in two words ("have to", "want to") is inflected like a full verb.
    """
    first, _, rest = lemma.partition(" ")
    tail = [(token, links) for token in rest.split()]
    adverb = list(adverb)
    no = [("not", negation)] if negation else []
    if tense in ("future", "modal"):
        head = "will" if tense == "future" else modal
        word, _, to = head.partition(" ")
        if word == "would":
            return [(token, aux) for token in head.split()] + [(first, links)] + tail
        if to:
            if no:
                do = "does" if person == "3s" else "do"
                return [(do, ())] + no + [(word, aux)] + [(to, aux), (first, links)] + tail
            return [(present(word, person), aux)] + adverb + [(to, aux), (first, links)] + tail
        return [(word, aux)] + no + adverb + [(first, links)] + tail
    if tense in ("perfect", "pluperfect"):
        return (
            [(present("have", person) if tense == "perfect" else "had", aux)]
            + no
            + adverb
            + [(participle(first), links)]
            + tail
        )
    if tense == "progressive":
        return [(present("be", person), aux)] + no + adverb + [(gerund(first), links)] + tail
    finite = present if tense == "present" else preterite
    if first == "be":
        return [(finite("be", person), links)] + no + adverb + tail
    if no:
        return [(finite("do", person), aux)] + no + adverb + [(first, links)] + tail
    return adverb + [(finite(first, person), links)] + tail
