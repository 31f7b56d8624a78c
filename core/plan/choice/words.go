package choice

import "strings"

// Lists of folded words. A word is in the list of every language that has it.

func set(texts ...string) map[string]bool {
	out := map[string]bool{}
	for _, t := range texts {
		for _, w := range strings.Fields(t) {
			out[w] = true
		}
	}
	return out
}

// optionNouns name an option in front of its number.
var optionNouns = set(
	"option options opt choice choices number numbers no num nr alternative alternatives variant item candidate tool answer selection entry category class statement action slot hypothesis strategy",
	"nummer moglichkeit moglichkeiten variante auswahl antwort wahl optionen punkt werkzeug kategorie klasse aussage aktion strategie",
	"numero choix reponse outil proposition no categorie classe hypothese affirmation strategie", "opcion opciones respuesta herramienta alternativa n categoria clase estrategia hipotesis", "opzione opzioni scelta strumento opcao opcoes numero ferramenta",
)

// ideographNouns are the characters of option nouns in front of a number and after it.
var ideographNouns = set("项 項 号 號 第 个 個 種 种 番 目 肢 択 選 选 案 方 编 字")

// ideographCues precede a label of one character.
var ideographCues = set("是 于 选 選 为 為 择 擇 は")

// ideographCounters follow the ordinal of a part of a text or of a period: 第3条.
var ideographCounters = set("条 條 章 页 段 款 节 節 天 年 次 行 步 届 句")

// sequels continue a list after a comma or a conjunction: "2, then 3".
var sequels = set("then finally maybe perhaps possibly dann auch danach vielleicht puis ensuite luego despues quizas poi 然 后 再")

// announcers precede a choice only before a colon: "recommended: 2", but not "you recommended 2".
var announcers = set("kurz corrige corrijo korrigiere correggo corrigo recommended remaining ubrig restant restante")

// negations begin a remark in parentheses that excludes the option before it: "2 (not available)".
var negations = set("not never nicht")

// copulas precede a word that answers a question: "the risk is low".
var copulas = set("is be : = ist sei est es e 是 は sera sarebbe")

// neutralVerbs follow an option that a text only describes: "option 2 needs an image".
var neutralVerbs = set(
	"would could might may can needs need requires require lacks has have is are was were involves includes contains does do will",
	"ware waren wurde konnte braucht benotigt ist sind hat kann", "est sont serait pourrait demande necessite a", "es son seria podria necesita requiere tiene", "e sono sarebbe potrebbe richiede sao precisa requer 需 会 要 有 是",
)

// blockers precede a choice that is not made.
var blockers = set("wrong inappropriate harmful unsafe unethical irresponsible hard difficult impossible unwise improper illegal dangerous risky falsch unmoglich schwierig schwer difficile dificil imposible impossibile")

// restatements end a phrase that repeats the choice in other words, also before a comma: "es decir, 2".
var restatements = set("decir heisst namely seja cioe sprich")

// possessives precede the rank of an option that is not the choice: "my second choice".
var possessives = set("my our meine mein unsere ma mon mi minha mia")

// owners precede a noun or a verb of the sentence.
var owners = set("i we you they my our your his her their its")

// articles precede an ordinal without a noun.
var articles = set("the la le el il lo die der das den a o")

// determiners begin a noun phrase.
var determiners = set("the this that a an der die das den dieser diese dieses ein eine le la les l ce cette un une el los las este esta esto il lo questo questa o os as isso")

// pluralArticles precede the number of several things.
var pluralArticles = set("the les los las gli os as both")

// totals precede the number of all options.
var totals = set("all these those other others given every remaining alle diese beiden todas todos tous toutes tutte tutti")

// sequence precedes the number of several things, "the first 4 tools", or an option, "first 2, then 3".
var sequence = set("first last next previous top ersten letzten premiers premieres primeras primeros")

// polar are the labels of questions that ask for yes or no.
var polar = set("yes no ja nein oui non si sim nao 是 否")

// nonVerbs are words that end in -s like a verb in the third person, but are not verbs that
// describe an option.
var nonVerbs = set("this thus plus does always perhaps thanks besides across seems looks sans dans plus mais puis avions dos tres")

// affirmations mark the item of a list that is the choice.
var affirmations = set("yes ja oui sim si 是")

// praises are the words that alone call the item of a list the choice.
var praises = set("recommendation empfehlung recommandation recomendacion next selected chosen recommended winner pick choice nachste gewahlt ausgewahlt empfohlen choisi choisie retenu retenue recommande elegido elegida seleccionado seleccionada recomendado recomendada")

// connectives are the first or the last words of phrases after which anything may follow, not only a choice.
var connectives = set("so therefore thus hence conclude concludes consequently accordingly also daher deshalb somit folglich sondern demnach donc ainsi sino luego asi entonces tanto eso que quindi dunque bensi portanto logo finally ultimately finalmente finalement schliesslich letztlich mais but aber pero ma mas it es c that e 以 此 故")

// adversatives begin a sentence that contradicts the one before it.
var adversatives = set("however but although yet still though aber jedoch allerdings dennoch doch mais cependant toutefois pourtant pero embargo ma tuttavia mas porem 但 却 然")

// interrogatives begin a question for a reason.
var interrogatives = set("why warum wieso pourquoi por porque 为")

// dependence are the first or the last words of "it depends".
var dependence = set("depends kommt ab depend depende dipende 于 定 况")

// listNouns follow the number of an option: "number 1 of the list".
var listNouns = set("list liste lista")

// complementizers begin a clause that a verdict may follow: "that nobody lies, is excluded".
var complementizers = set("dass that")

// partitives precede the number of options after a choice: "3 (of 10)".
var partitives = set("of von sur de di da aus")

// germanWords are frequent words that only German has.
var germanWords = set("werden muss mussen von auch soll haben nach zum zur der das eine einen wird und ich nicht ist oder wahle nehme sind fur keine aus wir weder noch kein dass wenn sehr gerne ware kann damit passt braucht danach bleibt")

// fillers occur between a cue and its choice.
var fillers = set(
	"the a an immediately simply best clear definite resounding firm to be is are was would will must should clearly likely probably definitely then simply just indeed here now with for on that this my it of in i am as",
	"die der das den dem ein eine einen einem sofort gleich unbedingt klares klare klarer eindeutiges deutliches ist lautet ware eindeutig hier jetzt klar mich fur eher ich also die zu es",
	"la le l les un une est serait clairement ici pour a de je me que la ce cet cette",
	"el los un una es seria claramente aqui por yo lo que las", "il e sarebbe o seria i", "も は が を の に と 是 为 為 应 應 该 該 就 了 的 我 会 會 将 想 要 你 您 应 当 號 は、",
)

// alternatives begin a question about another option.
var alternatives = set("or oder ou o oppure 或 还 還")

// conjunctions join the options of a list.
var conjunctions = set("and or nor plus und oder noch et ou ni y o u e ed od como 和 或 与 與 及 跟 者 还 還 是 と か や また は")

// units are the words for counted things.
var units = set(
	"image images picture pictures photo photos text texts step steps option options choice choices tool tools call calls day days night nights hour hours minute minutes second seconds time times week weeks month months year years euro euros dollar dollars object objects word words sentence sentences candidate candidates question questions reason reasons people person persons user users file files thing things more other others remaining pm possible available good different valid main equally percent x px k kb mg ml hz khz mhz ghz kw kwh ms mb gb item items flight flights point points check checks request requests page pages language languages task tasks tokens token way ways letters letter lines line characters retries attempts tries inputs input outputs output of numbers out eur usd gbp chf cny jpy km cm mm kg min hrs",
	"bild bilder bildern schritt schritte schritten optionen moglichkeiten tag tage tagen nacht nachte nachten stunde stunden minuten sekunden mal euro worter wort satze satz fragen grunde grund personen dateien werkzeuge weitere andere punkte gute verschiedene sprachen texte prozent uhr",
	"images etape etapes options choix jour jours nuit nuits heure heures minutes secondes fois mots mot phrases phrase questions question raisons raison personnes fichiers outils autres textes langues clients client pour",
	"imagen imagenes paso pasos opciones dia dias noche noches hora horas minutos segundos veces palabras palabra frases preguntas razones personas archivos herramientas otras otros texto textos idioma idiomas cosas",
	"immagini immagine passo passi opzioni giorni notti ore minuti volte parole domande motivi testo testi imagens imagem passos opcoes dias noites horas minutos vezes palavras textos",
	"元 块 米 吨 万 亿 个 個 张 張 种 種 步 次 天 年 月 日 岁 分 秒 小 条 條 枚 つ 件 回 人 時 名 本 位 幅 段 句 篇 部 轮 点 倍 度 颗 台 辆 份 封 笔 套 家 间 座 层 级 双 艘 架 匹 头 盒 袋 瓶 杯 名 克 公 千 百 升 美 欧 厘 毫 平 星 课 周 %",
)

// months follow the number of a day.
var months = set(
	"january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec",
	"januar februar marz mai juni juli oktober dezember", "janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre",
	"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre",
	"janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro",
)

// countedNouns precede numbers that name no option.
var countedNouns = set(
	"step steps stage phase page chapter version figure table round level room line section paragraph clause part question task example by gpt claude llama gemini qwen mistral sonnet opus since from until march april may june july august version v day week year confidence score rating temperature",
	"schritt schritte seite kapitel tabelle abschnitt absatz frage aufgabe phase stufe tag um", "etape etapes page chapitre tableau partie phase", "paso pasos pagina capitulo tabla parte fase", "passo passi passos pagina fase", "步 骤 页 章",
)

// functionWords may follow the number of an option in running text.
var functionWords = set(
	"is are was would will seems looks fits works makes needs has does can could should because since as for and or but then here it i to with in on by so if please instead which that while though although when where only requires produces gives finds wins applies uses matches suits not may might must over rather than nor from at also too however best therefore thus do you thanks thank assistant",
	"ist sind war ware passt scheint weil da denn und oder aber nicht fur mit im in auf wahlen nehmen sprechen ausgehen entscheiden empfehlen kann wird wurde braucht ist am bitte geht auch statt",
	"est sont serait semble car parce puisque et ou mais pour avec dans ne n convient me parait plutot svp aussi",
	"es son seria parece porque ya pues y o pero para con en no me ni sirve tambien por",
	"e sarebbe perche poiche ma per con non sembra nao mas porque pois com em",
)

// numerals are the words for numbers.
var numerals = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"eins": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "fuenf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwolf": 12,
	"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11, "douze": 12,
	"uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12,
	"due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8, "nove": 9, "dieci": 10,
	"um": 1, "uma": 1, "dois": 2, "duas": 2, "quatro": 4, "sete": 7, "oito": 8, "dez": 10,
	"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}

// ordinals maps ordinal words to positions in the list of options; -1 is the last position.
var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "last": -1,
	"erste": 1, "ersten": 1, "erster": 1, "erstes": 1, "zweite": 2, "zweiten": 2, "dritte": 3, "dritten": 3, "vierte": 4, "vierten": 4, "funfte": 5, "funften": 5, "sechste": 6, "sechsten": 6, "letzte": -1, "letzten": -1,
	"premier": 1, "premiere": 1, "deuxieme": 2, "seconde": 2, "troisieme": 3, "quatrieme": 4, "cinquieme": 5, "sixieme": 6, "derniere": -1, "dernier": -1,
	"primera": 1, "primer": 1, "primero": 1, "segunda": 2, "segundo": 2, "tercera": 3, "tercer": 3, "tercero": 3, "cuarta": 4, "cuarto": 4, "quinta": 5, "quinto": 5, "sexta": 6, "ultima": -1, "ultimo": -1,
	"prima": 1, "primo": 1, "terza": 3, "terzo": 3, "quarta": 4, "sesta": 6, "primeira": 1, "primeiro": 1, "terceira": 3, "terceiro": 3,
}

// ordinalEndings follow the digits of an ordinal.
var ordinalEndings = set("st nd rd th te ten er e ere eme")

// ordinalNouns follow an ordinal that names an option.
var ordinalNouns = set("option choice one tool alternative answer item variant way idea proposal suggestion candidate", "option moglichkeit variante auswahl antwort wahl werkzeug weg losung idee vorschlag", "option choix proposition reponse outil voie piste idee solution", "opcion alternativa respuesta herramienta via idea propuesta solucion", "opzione scelta opcao alternativa")

// prepositions follow a noun.
var prepositions = set("von vom uber de du d del di da do dated")

// reasons begin a clause with a reason for a choice.
var reasons = set("because since as weil da denn car parce puisque porque ya pues perche poiche pois 因")

// orders are adverbs after a step that state its place in a sequence.
var orders = set("first afterwards later next second last zuerst danach spater anschliessend apres ensuite despues primero abord")

// successors precede a step that comes after the choice: "chop the onions before frying them".
var successors = set("before bevor ehe avant antes")

// concessions begin a clause that admits a doubt, which does not concern the choice.
var concessions = set("although though obwohl wenngleich quoique bien aunque sebbene embora 虽 尽")

// whether are the words that begin an indirect question.
var whether = set("whether ob si se")

// impersonal are the last words of doubts about a fact; subordinates begin the clause that names
// this fact.
var (
	impersonal   = set("unclear ambiguous uncertain unklar clair claro")
	subordinates = set("what who when where how whose why if whether was wer wann wo wie warum ob qui quand comment si quien cuando como")
)

// verdictNouns follow a doubt about the choice: "not sure which is better".
var verdictNouns = set("better best right correct one beste besser richtig meilleur meilleure mejor correcta 更 最")

// breaks are words that begin a clause.
var breaks = set(
	"because since but so while although though whereas as and which who hence therefore thus then however yet still",
	"weil da denn aber daher deshalb sondern wahrend obwohl jedoch also somit",
	"car parce puisque mais donc alors tandis quoique cependant",
	"porque pero ya pues sino aunque mientras entonces luego",
	"perche poiche ma quindi mentre pois portanto", "但 而 因 所 故",
)

// inquiries are verbs whose object is an indirect question, "to know whether".
var inquiries = set("know see find check determine decide ask wissen prufen klaren herausfinden sehen fragen entscheiden savoir voir verifier determiner saber ver averiguar comprobar determinar sapere")
