#include "text/language_rules.h"

#include <algorithm>
#include <map>

#include "util/utf8.h"

namespace graft::engine {
namespace {

struct Words {
  std::string_view language;
  std::string_view words;
};

// Abbreviations that are written before something else, so that their dot does not end a sentence. Single letters and
// whatever has a dot inside (e.g., z.B., U.S.) need no entry.
constexpr Words kAbbreviations[] = {
    {"", "Dr Mr Mrs Ms Prof St vs Jr Sr"},
    {"en",
     "Adj Adm Adv Asst Bart Bldg Brig Bros Capt Cmdr Col Comdr Con Corp Cpl DR Dr Drs Ens Gen Gov Hon Hosp Hr Insp Lt "
     "MM MR MRS MS Maj Messrs Mlle Mme Mr Mrs Ms Msgr Mt Op Ord Pfc Ph Prof Pvt Rep Reps Res Rev Rt Sen Sens Sfc Sgt "
     "Sr St Supt Surg v vs rev Nos Nr"},
    {"de",
     "Abb Abs Abt Adj Anm Aufl Bd Bde Bf Bhf Bsp Bzgl Bzw Ca Co Corp Dipl Dr Ev Evtl Fa Fr Frl Gebr Gem Ges Hr Hrn "
     "Hrsg "
     "Inc Ing Jh Jhd Kap Kfm Lfd Lit Ltd Mag Max Mill Min Mio Mr Mrd Mrs MwSt Nr Nrn Prof Red Ref Rev Sen Sog Sr St "
     "Std "
     "Str Tel Trans Univ Verf Vgl Vol Zit Ziff al allg bspw bzgl bzw ca dgl ebd etc evtl ff geb gegr gem ggf ggfs inkl "
     "insb jr lfd max min mind od resp sog sr st str tel tlw u usf usw vgl vs zit zzgl "
     "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX"},
    {"fr",
     "Dr M MM Me Mgr Mlle Mlles Mme Mmes Pr Prof St Ste Sts art av bd cf chap env etc ex fig hab p pp tél vol éd"},
    {"it",
     "Dott Dr Ing Mons On Prof Sig Sigg Sra St Avv Arch Geom Rag art cap cfr ecc es fig lett p pag pagg sig tel vol"},
    {"es",
     "D Dr Dra Excmo Ilmo Ing Lic Prof Rvdo S Sr Sra Sras Sres Srta St Sta Sto Ud Uds Vd Vds art aprox av cap cf "
     "ed ej etc fig núm pág págs tel vol"},
    {"pt",
     "D Dr Dra Drs Eng Exa Exmo Prof Profa Sr Sra Srs Sras Srta St Sta Sto V Art art av cap cf ed etc fig núm pág "
     "págs tel vol"},
    {"nl",
     "Dhr Dr Drs Ing Ir Jhr Jr Mej Mevr Mr Mw Prof Sr St afb afd art blz bijv bv ca dhr dr drs enz evt excl fig "
     "incl ing ir jl jr max mevr min mr mw nl nr ong pag par prof resp sr st tel vgl vnl zgn"},
    {"cs",
     "Dr Ing Mgr Bc JUDr MUDr PhDr RNDr Prof Doc St apod atd cca cit doc dr event hl ing kap max min mj mld mil mgr "
     "např násl odst obr p pozn prof resp roč sl st str sv tab tel tis tj tzn tzv ul vč zn"},
    {"sk",
     "Dr Ing Mgr Bc JUDr MUDr PhDr Prof Doc St atď cca doc dr ing kap max min mld mil napr ods obr p pozn prof resp "
     "str sv tab tel tis tj tzn tzv ul č"},
    {"pl",
     "Dr Prof St al art dr hab im inż itd itp m.in mgr min mld mln np nr ok os pkt płk por prof r red rys s str św "
     "tab tel tj tys tzn tzw ul ur ust w wg woj zob zł"},
    {"ru",
     "Г г гг др им кв млн млрд обл пл проф рис руб св см сокр ср ст стр т тел тыс ул ч акад гл доц напр прим просп"},
    {"sv", "Dr Prof St bl d ca dvs etc ev exkl fr inkl kap kl kr max min mfl nr osv resp s st t tel ung"},
    {"da", "Dr Prof Hr St bl ca dvs etc evt fx hr inkl jf kap kl kr maks min mio mia mfl nr osv pct pga stk tlf vedr"},
    {"fi", "Dr Prof esim huom jne klo ks mm mrd ml n nk noin nro ns os s t tri tms tod toim vrt yht yms"},
    {"ro", "Dl D-l Dna Dr Ing Prof Sf art alin dl dna dr etc ing lit nr pag prof str tel vol"},
    {"hu", "Dr Prof Id ifj kb ill ún pl stb tel u vö ua"},
};

constexpr Words kNumericAbbreviations[] = {
    {"", "No Nr"},
    {"en", "No Art pp Fig fig Vol vol Sec Ch p"},
    {"de", "No Art S Bd Pos Ziff"},
    {"fr", "no n art No"},
    {"it", "n nn art"},
    {"es", "n núm art"},
    {"pt", "n núm art"},
    {"nl", "nr art"},
    {"cs", "č čl str"},
    {"pl", "nr art"},
};

constexpr Words kApostropheWords[] = {
    {"nl", "'s 't 'n 'k 'm 'r 'ns"},
    {"it", "po' mo' fe' di' da' fa' sta' va' be' ca'"},
    {"en", "'n' ol'"},
};

constexpr Words kParticles[] = {
    {"ko", "가 고 과 는 도 라 라고 라는 로 를 만 며 부터 에 에서 와 으로 은 을 의 이 이라고 이라는 이며 인 하고 하는"},
};

using Set = std::unordered_set<std::string>;

template <size_t N>
Set WordsOf(const Words (&lists)[N], std::string_view language) {
  Set words;
  for (const Words& list : lists)
    if (list.language == language)
      for (const std::string_view word : SplitTokens(list.words)) words.emplace(word);
  if (words.empty() && !language.empty()) return WordsOf(lists, "");
  return words;
}

bool IsOneOf(std::string_view language, std::string_view list) {
  const auto words = SplitTokens(list);
  return std::find(words.begin(), words.end(), language) != words.end();
}

LanguageRules MakeRules(std::string_view language) {
  LanguageRules rules;
  if (IsOneOf(language, "en de gsw lb")) rules.apostrophe = ApostropheRule::kClitic;
  if (IsOneOf(language, "fr it ca ga oc fur lmo pms scn sc vec")) rules.apostrophe = ApostropheRule::kElision;
  if (IsOneOf(language, "en ja zh")) rules.dash = DashRule::kTight;
  if (language == "es") rules.dash = DashRule::kParenthesis;
  rules.percent_spaced =
      IsOneOf(language, "be bg ca cs da de es eu fi fr hr hy is kk lb lt nb nn no os ro ru sk sl sv");
  rules.currency_first = IsOneOf(language, "en ga ja ko mt th zh hi");
  rules.space_before_marks = language == "fr";
  rules.guillemets_point_in = IsOneOf(language, "da");
  rules.ellipsis_spaced = language == "de";
  rules.quote_inside = IsOneOf(language, "he yi");
  rules.same_quotes = IsOneOf(language, "fi sv");
  rules.latin_spaced = language != "ja";
  rules.wide_marks = IsOneOf(language, "ja zh");
  rules.pronoun_i = language == "en";
  rules.lowercase_initials = language == "de";
  rules.ordinals = IsOneOf(language, "cs da de et fi hr hu is lb lv nb nn no sk sl sr");
  rules.abbreviations = WordsOf(kAbbreviations, language);
  rules.numeric_abbreviations = WordsOf(kNumericAbbreviations, language);
  rules.apostrophe_words = WordsOf(kApostropheWords, language);
  rules.particles = WordsOf(kParticles, language);
  return rules;
}

constexpr std::string_view kLanguages =
    "be bg ca cs da de en es et eu fi fr fur ga gsw he hi hr hu hy is it ja kk ko lb lmo lt lv mt nb nl nn no oc os pl "
    "pms "
    "pt ro ru sc scn sk sl sr sv th vec yi zh";

}  // namespace

const LanguageRules& RulesOf(std::string_view language) {
  static const auto rules = [] {
    std::map<std::string, LanguageRules, std::less<>> all;
    all.emplace("", MakeRules(""));
    for (const std::string_view code : SplitTokens(kLanguages)) all.emplace(code, MakeRules(code));
    return all;
  }();
  const auto found = rules.find(Lowercase(language.substr(0, language.find_first_of("-_"))));
  return found != rules.end() ? found->second : rules.find("")->second;
}

}  // namespace graft::engine
