"""German lexicon. Nouns are grouped by what verbs and adjectives can say of them.

Noun entry: singular, gender, plural ("-" for none), English ("~" marks a noun without article and plural in English,
"^" one that is always plural). A "*" after the gender marks weak declension (den Studenten).
"""

NOUNS = {
    "person": """
        Lehrer m Lehrer teacher; Lehrerin f Lehrerinnen teacher; Arzt m Ärzte doctor; Ärztin f Ärztinnen doctor;
        Student m* Studenten student; Studentin f Studentinnen student; Nachbar m* Nachbarn neighbour;
        Nachbarin f Nachbarinnen neighbour; Kollege m* Kollegen colleague; Kollegin f Kolleginnen colleague;
        Freund m Freunde friend; Freundin f Freundinnen friend; Chef m Chefs boss;
        Journalist m* Journalisten journalist; Anwalt m Anwälte lawyer; Polizist m* Polizisten policeman;
        Kellner m Kellner waiter; Verkäuferin f Verkäuferinnen shop_assistant; Künstler m Künstler artist;
        Sängerin f Sängerinnen singer; Ingenieur m Ingenieure engineer; Bauer m* Bauern farmer;
        Richterin f Richterinnen judge; Bürgermeister m Bürgermeister mayor; Gast m Gäste guest;
        Kunde m* Kunden customer; Trainer m Trainer coach; Schüler m Schüler pupil; Schülerin f Schülerinnen pupil;
        Kind n Kinder child; Mädchen n Mädchen girl; Junge m* Jungen boy; Mann m Männer man; Frau f Frauen woman
    """,
    "kin": """
        Mutter f Mütter mother; Vater m Väter father; Bruder m Brüder brother; Schwester f Schwestern sister;
        Tante f Tanten aunt; Onkel m Onkel uncle; Großmutter f Großmütter grandmother;
        Großvater m Großväter grandfather; Sohn m Söhne son; Tochter f Töchter daughter; Cousin m Cousins cousin
    """,
    "reading": """
        Buch n Bücher book; Roman m Romane novel; Zeitung f Zeitungen newspaper; Zeitschrift f Zeitschriften magazine;
        Artikel m Artikel article; Brief m Briefe letter; Gedicht n Gedichte poem; Märchen n Märchen fairy_tale
    """,
    "text": """
        Brief m Briefe letter; Artikel m Artikel article; Bericht m Berichte report; Roman m Romane novel;
        Gedicht n Gedichte poem; Aufsatz m Aufsätze essay
    """,
    "show": """
        Film m Filme film; Serie f Serien series; Theaterstück n Theaterstücke play;
        Fußballspiel n Fußballspiele football_match
    """,
    "food": """
        Apfel m Äpfel apple; Kuchen m Kuchen cake; Suppe f Suppen soup; Salat m Salate salad;
        Kartoffel f Kartoffeln potato; Fisch m Fische fish; Wurst f Würste sausage; Ei n Eier egg;
        Pizza f Pizzen pizza; Birne f Birnen pear
    """,
    "stuff": """
        Brot n - ~bread; Käse m - ~cheese; Fleisch n - ~meat; Obst n - ~fruit; Gemüse n - ^vegetables;
        Schokolade f - ~chocolate; Reis m - ~rice
    """,
    "drink": """
        Kaffee m - ~coffee; Tee m - ~tea; Milch f - ~milk; Wasser n - ~water; Bier n - ~beer; Wein m - ~wine;
        Saft m - ~juice
    """,
    "clothes": """
        Hemd n Hemden shirt; Mantel m Mäntel coat; Hut m Hüte hat; Pullover m Pullover sweater; Jacke f Jacken jacket;
        Schal m Schals scarf
    """,
    "device": """
        Computer m Computer computer; Fernseher m Fernseher television; Radio n Radios radio; Lampe f Lampen lamp;
        Waschmaschine f Waschmaschinen washing_machine; Heizung f - heating; Drucker m Drucker printer
    """,
    "vehicle": "Auto n Autos car; Fahrrad n Fahrräder bicycle; Motorrad n Motorräder motorcycle; Boot n Boote boat",
    "transport": "Zug m Züge train; Bus m Busse bus; Flugzeug n Flugzeuge plane; Schiff n Schiffe ship",
    "thing": """
        Schlüssel m Schlüssel key; Koffer m Koffer suitcase; Tasche f Taschen bag; Uhr f Uhren clock;
        Brille f - ^glasses; Geschenk n Geschenke gift; Regenschirm m Regenschirme umbrella; Ball m Bälle ball;
        Karte f Karten map; Bild n Bilder picture; Foto n Fotos photo; Messer n Messer knife; Glas n Gläser glass;
        Teller m Teller plate; Ring m Ringe ring; Gitarre f Gitarren guitar
    """,
    "opening": """
        Fenster n Fenster window; Tür f Türen door; Koffer m Koffer suitcase; Schublade f Schubladen drawer;
        Flasche f Flaschen bottle; Tor n Tore gate
    """,
    "room": """
        Zimmer n Zimmer room; Küche f Küchen kitchen; Wohnung f Wohnungen flat; Keller m Keller cellar;
        Garage f Garagen garage; Schreibtisch m Schreibtische desk
    """,
    "surface": """
        Tisch m Tische table; Stuhl m Stühle chair; Regal n Regale shelf; Bett n Betten bed; Sofa n Sofas sofa;
        Schrank m Schränke cupboard; Teppich m Teppiche carpet
    """,
    "building": """
        Museum n Museen museum; Bibliothek f Bibliotheken library; Schule f Schulen school; Kirche f Kirchen church;
        Rathaus n Rathäuser town_hall; Theater n Theater theatre; Krankenhaus n Krankenhäuser hospital;
        Restaurant n Restaurants restaurant; Bahnhof m Bahnhöfe station; Hotel n Hotels hotel;
        Schloss n Schlösser castle; Universität f Universitäten university; Fabrik f Fabriken factory;
        Brücke f Brücken bridge; Haus n Häuser house
    """,
    "outside": """
        Park m Parks park; Garten m Gärten garden; Wald m Wälder forest; Stadt f Städte city; Dorf n Dörfer village
    """,
    "city": """
        Berlin n - Berlin; Hamburg n - Hamburg; München n - Munich; Köln n - Cologne; Wien n - Vienna;
        Zürich n - Zurich; Paris n - Paris; London n - London; Rom n - Rome; Dresden n - Dresden; Leipzig n - Leipzig;
        Prag n - Prague
    """,
    "country": """
        Deutschland n - Germany; Österreich n - Austria; Frankreich n - France; Italien n - Italy; Spanien n - Spain;
        Polen n - Poland; Japan n - Japan; China n - China
    """,
    "event": """
        Konzert n Konzerte concert; Sitzung f Sitzungen meeting; Feier f Feiern celebration;
        Hochzeit f Hochzeiten wedding; Ausstellung f Ausstellungen exhibition; Prüfung f Prüfungen exam;
        Reise f Reisen trip; Konferenz f Konferenzen conference; Wettbewerb m Wettbewerbe competition;
        Vortrag m Vorträge lecture; Kurs m Kurse course
    """,
    "subject": """
        Musik f - ~music; Geschichte f - ~history; Mathematik f - ~mathematics; Physik f - ~physics; Kunst f - ~art;
        Politik f - ~politics; Literatur f - ~literature; Technik f - ~technology; Chemie f - ~chemistry;
        Philosophie f - ~philosophy
    """,
    "issue": """
        Plan m Pläne plan; Vorschlag m Vorschläge suggestion; Problem n Probleme problem;
        Entscheidung f Entscheidungen decision; Projekt n Projekte project; Angebot n Angebote offer;
        Idee f Ideen idea; Vertrag m Verträge contract; Einladung f Einladungen invitation;
        Antrag m Anträge application; Gesetz n Gesetze law; Antwort f Antworten answer; Fehler m Fehler mistake;
        Frage f Fragen question
    """,
    "animal": """
        Hund m Hunde dog; Katze f Katzen cat; Vogel m Vögel bird; Pferd n Pferde horse; Hase m* Hasen rabbit;
        Kuh f Kühe cow
    """,
}
# The members of these classes are named one by one.
GROUPS = {
    "formal": "Vorschlag Angebot Einladung Antrag Plan Vertrag",
    "proposal": "Plan Projekt Idee Vorschlag",
    "solvable": "Problem",
    "discussable": "Plan Vorschlag Problem Entscheidung Projekt Angebot Idee Vertrag Gesetz Frage",
    "planned": "Sitzung Feier Hochzeit Reise Konferenz Konzert Wettbewerb",
    "cooked": "Suppe Fisch Kartoffel Ei",
    "baked": "Kuchen Pizza",
    "learned": "Museum Bibliothek Universität",
    "informing": "Buch Zeitschrift Artikel",
    "suggested": "Reise Konzert Feier Kurs Projekt Ausstellung",
    "garment": "Hemd Mantel Pullover Jacke",
    "calm": "Zimmer Wohnung",
    "lendable": "Buch Roman Zeitschrift",
    "mended": "Auto Fahrrad Motorrad Computer Fernseher Lampe Waschmaschine Drucker Uhr Radio",
    "switch": "Computer Fernseher Radio Lampe Waschmaschine Heizung Drucker",
    "cuttable": "Brot Käse Fleisch",
    "giveable": "Buch Geschenk Foto Bild Karte Ball Ring Brief Schlüssel",
    "form": "Antrag",
    "portable": """
        Buch Zeitung Brief Schlüssel Tasche Brille Geschenk Regenschirm Karte Foto Messer Glas Teller Zeitschrift
    """,
    "hung": "Bild Uhr Karte Lampe",
    "celebrity": "Künstler Sängerin Anwalt Ingenieur",
    "worry": "Prüfung Reise Kind Mutter Vater Sohn Tochter Großmutter Großvater",
    "joy": "Feier Hochzeit Reise Konzert Ausstellung Kurs",
    "gifted": "Geschenk Einladung Brief Antwort Angebot Buch",
    "owner": "Großvater Großmutter Kind Hund Katze Tante Onkel Garten",
    "attended": "Konzert Sitzung Feier Hochzeit Konferenz Wettbewerb Vortrag Kurs Prüfung",
    "exam": "Prüfung Konferenz Reise Wettbewerb Vortrag Sitzung",
    "trip": "Reise Hochzeit Konzert Feier Prüfung",
    "job": "Projekt Kurs",
    "venue": "Museum Bibliothek Schule Rathaus Theater Hotel Schloss Universität Restaurant Kirche",
    "played": "Gitarre",
    "picked": "Kind Mädchen Freund Freundin Gast Schüler Junge",
    "watched": "Film Serie Theaterstück Fußballspiel",
    "cancelled": "Konzert Sitzung Feier Reise Konferenz Vortrag",
    "noted": "Frage Idee Antwort Vorschlag Plan",
}
# Verbs: infinitive ("|" after a separable prefix), third person, participle, auxiliary (h, s), English, object classes.
VERBS = """
kaufen kauft gekauft h buy reading,clothes,vehicle,thing,food; lesen liest gelesen h read reading;
schreiben schreibt geschrieben h write text; sehen sieht gesehen h see show,person,animal;
essen isst gegessen h eat food,stuff; trinken trinkt getrunken h drink drink;
besuchen besucht besucht h visit person,kin,city,venue;
verkaufen verkauft verkauft h sell vehicle,device,thing,clothes; suchen sucht gesucht h look_for thing,animal;
finden findet gefunden h find thing,animal; verlieren verliert verloren h lose thing;
reparieren repariert repariert h repair mended; waschen wäscht gewaschen h wash vehicle,clothes;
kochen kocht gekocht h cook cooked; malen malt gemalt h paint animal,building;
fotografieren fotografiert fotografiert h photograph building,animal,person; lernen lernt gelernt h learn poem1;
studieren studiert studiert h study subject; lieben liebt geliebt h love kin,subject,city,animal;
kennen kennt gekannt h know person,city; fragen fragt gefragt h ask person,kin;
verstehen versteht verstanden h understand issue,person; lösen löst gelöst h solve solvable;
planen plant geplant h plan planned; organisieren organisiert organisiert h organize planned;
diskutieren diskutiert diskutiert h discuss discussable; übersetzen übersetzt übersetzt h translate text;
unterschreiben unterschreibt unterschrieben h sign contract1; begrüßen begrüßt begrüßt h greet person;
bezahlen bezahlt bezahlt h pay_for food,trip1,clothes; vergessen vergisst vergessen h forget thing,planned;
brauchen braucht gebraucht h need thing,device,clothes; tragen trägt getragen h wear clothes;
hören hört gehört h hear animal,person; unterstützen unterstützt unterstützt h support proposal,person;
kritisieren kritisiert kritisiert h criticize issue,person; bekommen bekommt bekommen h receive gifted;
backen backt gebacken h bake baked; füttern füttert gefüttert h feed animal;
treffen trifft getroffen h meet person,kin; loben lobt gelobt h praise person
"""
SINGLE = {"poem1": "Gedicht", "contract1": "Vertrag", "trip1": "Reise"}
SEPARABLE = """
an|rufen ruft angerufen h call person,kin; ein|laden lädt eingeladen h invite person,kin;
ab|holen holt abgeholt h fetch picked,kin; auf|machen macht aufgemacht h open opening;
zu|machen macht zugemacht h close opening; ein|schalten schaltet eingeschaltet h turn_on switch;
aus|schalten schaltet ausgeschaltet h turn_off switch; an|ziehen zieht angezogen h put_on garment;
aus|ziehen zieht ausgezogen h take_off garment; auf|räumen räumt aufgeräumt h tidy_up room;
vor|bereiten bereitet vorbereitet h prepare exam; vor|lesen liest vorgelesen h read_out reading;
weg|werfen wirft weggeworfen h throw_away reading,clothes,thing; ab|lehnen lehnt abgelehnt h reject formal;
an|nehmen nimmt angenommen h accept formal; vor|schlagen schlägt vorgeschlagen h suggest suggested;
auf|essen isst aufgegessen h eat_up food; mit|bringen bringt mitgebracht h bring food,reading,person;
mit|nehmen nimmt mitgenommen h take thing,person,animal; zurück|geben gibt zurückgegeben h return reading,thing;
aus|füllen füllt ausgefüllt h fill_in form; an|sehen sieht angesehen h watch watched;
ab|sagen sagt abgesagt h cancel cancelled; auf|schreiben schreibt aufgeschrieben h write_down noted;
aus|leihen leiht ausgeliehen h borrow lendable; ab|schließen schließt abgeschlossen h lock opening1;
auf|geben gibt aufgegeben h give_up proposal; an|probieren probiert anprobiert h try_on clothes;
vor|stellen stellt vorgestellt h introduce person,proposal; kennen|lernen lernt kennengelernt h get_to_know person
"""
SINGLE.update({"opening1": "Tür"})
# Separable verbs without object: "p:" gives a preposition, case and its classes.
INTRANSITIVE = """
auf|stehen steht aufgestanden s get_up -; an|kommen kommt angekommen s arrive in:dat:city,country:in;
ab|fahren fährt abgefahren s depart -; ein|schlafen schläft eingeschlafen s fall_asleep -;
ein|kaufen kauft eingekauft h go_shopping in:dat:city:in; fern|sehen sieht ferngesehen h watch_television -;
zurück|kommen kommt zurückgekommen s come_back aus:dat:city,country:from;
teil|nehmen nimmt teilgenommen h take_part an:dat:attended:in; auf|hören hört aufgehört h stop mit:dat:project1:-;
um|ziehen zieht umgezogen s move nach:-:city,country:to; weg|laufen läuft weggelaufen s run_away vor:dat:animal:from;
aus|steigen steigt ausgestiegen s get_off aus:dat:transport:-;
nach|denken denkt nachgedacht h think über:acc:issue:about; ein|ziehen zieht eingezogen s move_in -;
zu|hören hört zugehört h listen dat::person,kin:to; zu|stimmen stimmt zugestimmt h agree dat::proposal,person:with
"""
# Reflexive verbs: infinitive, third person, participle, English, preposition, case, English preposition, classes.
REFLEXIVE = """
interessieren interessiert interessiert be_interested für acc in subject,building,show,issue;
freuen freut gefreut look_forward auf acc to joy; erinnern erinnert erinnert remember an acc - person,trip,kin;
kümmern kümmert gekümmert take_care um acc of animal,kin,issue;
beschweren beschwert beschwert complain über acc about device,person,building;
ärgern ärgert geärgert get_annoyed über acc about issue,person; bewerben bewirbt beworben apply um acc for job;
verlieben verliebt verliebt fall_in_love in acc with person;
unterhalten unterhält unterhalten talk mit dat to person,kin;
verabschieden verabschiedet verabschiedet say_goodbye von dat to person,kin;
fürchten fürchtet gefürchtet be_afraid vor dat of animal,exam;
verabreden verabredet verabredet arrange_to_meet mit dat - person
"""
# Dative verbs. English order: S (subject stays) or X (exchanged: dem Kind gefällt das Buch = the child likes the book).
DATIVE = """
helfen hilft geholfen h help S person,kin person; danken dankt gedankt h thank S person,kin person;
gefallen gefällt gefallen h like X person,kin building,reading,show,clothes,city;
gehören gehört gehört h belong_to S person,kin vehicle,thing,reading,animal;
schmecken schmeckt geschmeckt h like X person,kin food; folgen folgt gefolgt s follow S person,animal person;
vertrauen vertraut vertraut h trust S person,kin person; antworten antwortet geantwortet h answer S person,kin person
"""
GIVING = """
    geben gibt gegeben h give; schenken schenkt geschenkt h give; zeigen zeigt gezeigt h show;
    schicken schickt geschickt h send; leihen leiht geliehen h lend; bringen bringt gebracht h bring
"""
# Adjectives: word, English, classes.
ADJECTIVES = """
neu new reading,show,clothes,device,vehicle,thing,building,issue,surface;
alt old person2,device,vehicle,thing,building,animal,reading,outside,clothes;
groß big animal,building,room,surface,food,outside,thing2;
klein small animal,building,room,surface,food,outside,thing2;
schön beautiful building,clothes,outside,city2,thing2,animal;
interessant interesting reading,show,issue2,event2,building2; teuer expensive clothes,device,vehicle,thing2;
billig cheap clothes,device,vehicle,thing2; jung young person,animal; freundlich friendly person,kin;
berühmt famous celebrity,building2; schwierig difficult issue2,exam1; wichtig important issue2,event2,report1;
rot red clothes,vehicle,thing2; blau blue clothes,vehicle,thing2; schwarz black clothes,animal,vehicle;
weiß white clothes,animal,surface; klug clever person,animal; müde tired person,kin; fleißig hard-working person,kin;
langweilig boring reading,show,event3; gut good idea1; kurz short text,event3; modern modern building,device;
streng strict person; ruhig quiet calm,outside,person; lecker delicious food
"""
SINGLE.update({"report1": "Bericht", "exam1": "Prüfung", "idea1": "Idee", "project1": "Projekt"})
GROUPS.update(
    {
        "person2": "Mann Frau Freund Freundin Lehrer Bauer Künstler",
        "thing2": "Koffer Tasche Uhr Regenschirm Bild Glas Ball Teller Messer Gitarre",
        "city2": "",
        "issue2": "Problem Frage Projekt Entscheidung Idee Vorschlag",
        "event2": "Konferenz Sitzung Vortrag Ausstellung Kurs Wettbewerb",
        "event3": "Vortrag Kurs Sitzung Reise Konzert",
        "building2": "Museum Universität Schloss Kirche Theater Hotel Brücke",
    }
)
TIMES = {
    "present": """
        jeden/PIAT+Tag/NN every_day; heute/ADV today; am/APPRART+Wochenende/NN at_the_weekend;
        jede/PIAT+Woche/NN every_week; am/APPRART+Abend/NN in_the_evening; am/APPRART+Morgen/NN in_the_morning;
        jeden/PIAT+Morgen/NN every_morning; am/APPRART+Sonntag/NN on_Sunday; jeden/PIAT+Abend/NN every_evening
    """,
    "past": """
        gestern/ADV yesterday; vorgestern/ADV the_day_before_yesterday; am/APPRART+Montag/NN on_Monday;
        am/APPRART+Freitag/NN on_Friday; letzte/ADJA+Woche/NN last_week; letztes/ADJA+Jahr/NN last_year;
        gestern/ADV+Abend/NN last_night; vor/APPR+drei/CARD+Tagen/NN three_days_ago;
        vor/APPR+zwei/CARD+Wochen/NN two_weeks_ago; am/APPRART+Nachmittag/NN in_the_afternoon;
        letzten/ADJA+Monat/NN last_month
    """,
    "future": """
        morgen/ADV tomorrow; übermorgen/ADV the_day_after_tomorrow; nächste/ADJA+Woche/NN next_week;
        nächstes/ADJA+Jahr/NN next_year; bald/ADV soon; heute/ADV+Abend/NN tonight; am/APPRART+Samstag/NN on_Saturday;
        in/APPR+zwei/CARD+Tagen/NN in_two_days; nächsten/ADJA+Monat/NN next_month
    """,
}
FREQUENCY = "oft often; immer always; manchmal sometimes; selten seldom; nie never"
MODALS = """
    kann können can; muss müssen must; will wollen want_to; soll sollen should; darf dürfen may;
    möchte möchten would_like_to
"""
NAMES = "Anna f; Peter m; Maria f; Thomas m; Julia f; Paul m; Laura f; Felix m; Sophie f; Jonas m; Clara f; Martin m"
PRONOUNS = """
    ich mich mir I me 1s; er ihn ihm he him 3s; sie sie ihr she her 3s; wir uns uns we us 1p;
    sie sie ihnen they them 3p
"""
POSSESSIVES = "mein my; sein his; ihr her; unser our"


def rows(text):
    """The entries of a table written as 'a b c; d e f' as lists of fields, '_' in a field for a space."""
    return [
        [field.replace("_", " ") for field in entry.split()]
        for entry in text.replace("\n", " ").split(";")
        if entry.strip()
    ]
