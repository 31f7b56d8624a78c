package choice

import (
	"slices"
	"strings"
	"sync"
)

// A phrase is a sequence of folded words in this notation: "a|b c" is a or b, then c; "~3" is
// up to 3 words; a word in Chinese or Japanese is its characters.

// cue is the sense of a phrase.
type cue int

const (
	cuePick   cue = iota // the choice follows: "I choose", "the answer"
	cueFinal             // the choice that follows is final
	cueNot               // the option that follows is excluded: "not", "instead of"
	cueGood              // the option before it is the choice: "is the best"
	cueBad               // the option before it is not: "is wrong"
	cueIf                // a condition
	cueAside             // an alternative or an earlier thought
	cueHedge             // a weak mention
	cueFix               // a correction of an earlier choice
	cueOpen              // undecided
	cueAsk               // a question to the person
	cueRefuse            // a refusal
	cueSorry             // an apology or an inability, which may precede an answer
	cueSaid              // somebody else's opinion follows: "the user recommended"
	cueYield             // the person decides
	cueFirst             // the first of several options, or the only one: "zuerst"
	cueThat              // the option before it is the choice: "I recommend it"
	cueSkip              // no sense, although the phrase contains one that has a sense
)

// cues are the phrases of each sense.
var cues = map[cue][]string{
	cuePick: {
		"you should|must|need to", "you have to", "debo|debes|debe|tienes|tiene ~1 que", "debo|debes|debe", "devez|dois|devriez", "musst|solltest", "i|we would|will go", "go|going|went ahead|forward with", "points|pointing|point ~1 to|towards|at", "make that|it", "best course of action would|is ~1 be", "remaining|ubrig|restant|restante|剩余", "c est ~1", "do",
		"queda|quedan|bleibt|bleiben", "optez pour", "prenez|choisissez|utilisez|nimm|elige|elija|escoge|escoja|usa|use|tome|reste|restent",
		"suggest|recommend|propose ~1 starting|beginning|going|using|choosing|taking ~1 with|for", "start|begin|starting|beginning with|by", "am besten|ehesten", "iria|iriamos|irais|irai|ginge|fuhre|recomendacion|recommandation|raccomandazione|recomendacao", "man ~1 von", "sans hesiter|hesitation", "sin dudar|dudarlo", "ohne zogern", "剩下|只剩|就剩", "剩下 ~1 只有|就是|唯有", "所以|因此|那么 还是",
		"you would|will ~2 want|need|choose|pick|use|select|take", "you are|would|will ~2 best|better ~1 with", "should|must do|run|perform|execute|take|pick|choose", "sinnvoll|logisch|naheliegend|ratsam|sinnvollsten|naheliegendsten ist|ware|erscheint ~1", "nachste|nachster|nachstes ~1 schritt|aktion|zug ist|ware|lautet|heisst", "prochaine|prochain ~1 etape|action|pas est|serait|sera", "siguiente|proximo|proxima ~1 paso|accion|etapa|passo|acao es|seria|e|sera", "prossimo|prossima passo|azione e|sarebbe", "le plus ~1 logique|simple|sur|sensé|pertinent est|serait", "lo mas ~1 logico|sensato|adecuado|seguro|prudente es|seria", "正确选项|正确的选项|最佳选项|最优选项|合适选项|合适的选项",
		"way|thing ~1 to go|do is|would", "next comes|is|up", "next ~1 action|step|move|tool|task|one is|would|should|must ~1", "only ~2 option|action|step|move|tool|candidate|choice ~2 is|left", "属于", "接下来|下一步 ~2 做|执行|进行|选|调用|用",
		"vote|choice|preference|pick|answer ~2 goes|go|falls|fall to|on|for", "i|we would|will|shall|should|must", "i|we need|have to", "let us|me", "am|are going to", "time to|for", "job|task|case for", "es muss|musste", "bleibt|bleiben|bliebe ~1 nur ~1", "fehlt ~2 nur ~1 noch", "sollte|sollten ~1 man|wir ~1", "reste ~3 qu a|que", "reste plus ~1 que|qu ~1", "je vais|devrais", "on devrait|doit", "nous devrions|devons", "hay|tendria que", "deberia|deberiamos|debemos", "voy|vamos a|al", "queda|falta ~2 solo|por", "solo queda|falta ~1", "por lo tanto", "por tanto|eso|consiguiente", "asi que", "empezaria por", "commence|commencons|commencerais|commencerai par", "应该|应当|必须|调用|使用|执行",
		// English
		"choose|chose|choosing|chosen|pick|picked|picking|select|selected|selecting|recommend|recommended|suggest|prefer|use|using|running|take|apply|applying|call|calling|invoke|invoking|execute",
		"go|going|went|gone|run|stick|sticking|proceed|finish with|for", "opt|opting|opted for", "settle|settling|settled on|for", "end|ends|ended|ending up with|at|on", "decide|decided|deciding on|for",
		"vote|voting for", "lean|leaning towards|toward|to", "i would|will say|do|have", "i say|think|believe|guess|want|mean|meant", "i|we need|want",
		"answer|pick|selection|decision|verdict|recommendation|preference|conclusion|solution|response|output", "choice", "result is",
		"best|right|correct|better|suitable|appropriate|ideal|only|winning|optimal|good ~1 one|option|choice|tool|number|fit|match|alternative|method|action|step|candidate is|would|remaining|here",
		"best|right|correct|better|optimal is", "best|right|correct|suitable|appropriate|fitting ~1 category|class|label|type|statement|description|explanation|date|slot|city|place is", "namely", "would start|begin with", "handelt sich um", "s agit de|d", "se trata de", "trata se de", "si tratta di", "e|es un|una|uno|um|uma", "das heisst", "sprich", "es decir", "ou seja", "cioe", "one|option|tool|number is", "it|that has|must|should|would to|be", "it is", "so|therefore|thus|hence|conclude|concludes|consequently|accordingly",
		"should be", "must be", "rate|rated|rating|call|classify|classified|label|labelled ~2", "leaves", "leaves|leaving us|me with", "left with", "let us|me go|use|take|do|try|run", "selected|chosen option",
		// German
		"wahle|wahlt|wahlen|gewahlt|nehme|nehmen|nimm|wurde|empfehle|bevorzuge|antworte|entscheide|sage", "antwort|auswahl|wahl|entscheidung|losung|ergebnis|fazit|empfehlung",
		"lieber", "entscheide mich fur", "entscheidung fallt auf", "wahl fallt auf", "tendiere ~2 zu|zur", "pladiere fur", "beste|richtige|bessere|passende|geeignete ~1 ist|ware", "am besten ist|ware|passt|geeignet",
		"kurz", "besten|ehesten|geeignetsten ist|ware|passt", "es ist", "ist|ware|bleibt es", "uberzeugt ~1 hat mich", "corrige|corrijo|korrigiere|correggo|corrigo", "richtig|korrekt|besser|passend ist|ware", "also|daher|deshalb|somit|folglich|sondern|demnach",
		// French
		"ai choisi|retenu|prefere|opte ~1", "choisis|choisir|choisirais|choisissons|choisirai|prends|prendrais|prendre|selectionne|recommande|preconise|conseille|retiens|retiendrais|privilegie|prefere|prefererais", "opte|opterais|opterai|vote pour", "penche|pencherais|pencherai ~1 pour|vers", "je dirais|dis|propose",
		"reponse|choix|conclusion|solution|selection|decision", "meilleur|meilleure|bonne|bon ~2 est|serait", "mieux vaut", "vaut mieux", "mais|but|aber|pero|ma|mas finalement|finally|finalmente|schliesslich|letztlich|ultimately", "porte|porterait|porte sur", "c est", "donc|ainsi", "il faut|faudrait",
		// Spanish
		"elijo|elegiria|elegir|elige|escojo|escogeria|escoger|selecciono|seleccionaria|seleccionar|recomiendo|prefiero|tomo|tomaria|usaria|sugiero", "opto|optaria|voto|votaria por", "me quedo|quedaria con", "me decanto|decido|inclino por", "diria", "voy con",
		"respuesta|eleccion|decision|conclusion|solucion|seleccion", "mejor|correcta|correcto|adecuada|adecuado ~2 es|seria", "mejor la|el", "lo mejor es", "sino", "luego|asi|entonces",
		// Italian and Portuguese
		"scelgo|sceglierei|scegliere|seleziono|consiglio|prendo|prenderei|preferisco|direi|raccomando", "opto|opterei|voto per", "risposta|scelta|decisione|soluzione", "migliore|corretta|giusta ~2 e|sarebbe|quindi", "quindi|dunque|bensi",
		"escolho|escolheria|escolher|seleciono|selecionaria|recomendo|prefiro|fico", "eu diria", "opto|optaria por", "fico com", "resposta|escolha|decisao|solucao", "melhor|correta|certa ~2 e|seria", "portanto|logo", "mas sim",
		// Chinese and Japanese
		"选|選|选择|選擇|选用|挑选|采用|推荐|推薦|建议|答案|结论|应为|应该是|回答|最佳|最好的|最合适的|正确的|就是|所以|因此|故|而是|不如|倾向于|決定|决定",
		"正しいのは", "答え|正解|結論|選択|よって|したがって|最適な|最も適切な|おすすめ",
	},
	cueFinal: {
		"final", "finally", "in conclusion", "to conclude", "in summary", "bottom line", "in short|brief", "long story short", "kurz gesagt|gefasst", "kurzum", "en|pour bref|resume", "bref", "en breve", "resumiendo", "in breve", "em resumo", "简而言之|总而言之|一句话", "tl dr", "tldr", "ultimately", "verdict", "my decision",
		"endgultige|endgultig|abschliessend|letztendlich|schlussendlich|finale|fazit", "reponse definitive", "en conclusion|definitive|resume", "definitivement|finalement|definitive",
		"en conclusion|resumen|definitiva", "finalmente|definitiva|definitivamente", "in conclusione", "conclusao", "最终|最終|最后答案|综上|总之|结论|結論",
	},
	cueNot: {
		"away from", "clear of", "cross|strike out", "en contra de", "反对", "forget|ignore|strike|scratch|drop|remove|delete|cross|vergiss|streiche|ignoriere|oubliez|oublie|ignorez|evitez|evite|eviterais|olvida|ignora|evita|evitaria", "auf|in keinen|keinem fall", "unter keinen umstanden", "en aucun cas", "en|bajo|por|de ningun|ninguna ~1", "sous|en|de aucun|aucune ~1", "unter|auf keinen|keinem|keiner ~1", "de ninguna manera|forma", "in no case|way", "on no account", "by no means", "under no circumstances", "rate ~1 von|vom|davon",
		"why|warum|wieso|porque not|nicht|no|pas", "pourquoi pas", "por que no", "为什么不|为何不",
		"not|never|neither|nor|avoid|exclude|excluding|excludes|except|eliminate|eliminating|eliminates|eliminated|discard|reject|rejecting|skip|dismiss", "rule|rules|ruled|ruling out", "instead of", "rather than", "other than", "than", "over", "none of", "neither of", "as opposed to", "unlike", "against", "beats|outperforms|surpasses|outweighs", "rid of", "compared to|with", "contrairement a|au|aux", "a diferencia|differenza de|del|di|della", "al contrario de|que|del", "anders als", "gegensatz|unterschied zu|zum|zur", "ao contrario de|do|da", "contrary to", "不同于|区别于", "versus|vs", "apart from",
		"schliesse|schliessen|schliesst", "nicht|weder|noch|statt|anstatt|anstelle|ausser|ausgenommen|gegen|kein|keine|keiner", "besser|passender|geeigneter|sinnvoller als", "schliesse|schliessen ~2 aus",
		"pas|ni|sauf|excepte|exclus|exclure|ecarte|ecarter|ecartons", "plutot que ~1 d|de", "plutot que", "au lieu de|du|d", "a la place de", "mieux|meilleure|meilleur|adaptee|adapte que",
		"ni|excepto|salvo|descarto|descartar|descartamos|excluyo", "no", "en lugar|vez de", "antes que", "mejor|adecuada|adecuado que",
		"non|ne|tranne|escludo|escludere|anziche", "invece di|del|della|dell", "piuttosto che|di", "al posto di|del|della", "migliore|meglio|adatta di|della|del",
		"nao|nem|exceto|descarto|excluo", "em vez|lugar de|do|da", "ao inves de|do|da", "do que",
		"不|不是|不选|不要|而不是|并非|排除|除了|没有|而非|与其",
		"以外", "除いて",
	},
	cueBad: {
		"premature|prematuree|prematuro|prematura|verfruht", "too|zu early|soon|fruh", "trop tot", "demasiado pronto", "为时过早|还太早|过早",
		"far from", "hardly|barely|scarcely", "used to be", "verzichten|absehen|vermeiden|meiden|streichen", "之前", "least suitable|appropriate|useful|likely|relevant|helpful|sensible", "worst|schlechteste|pire|peor|peggiore|pior", "rate ich ~1 ab", "violates|violate|breaks|exceeds", "beyond my|the|our|your",
		"is|are|was|were|would|does|do|did|can|could|will|has|have|should ~1 not|never", "wrong|incorrect|harmful|unsafe|unethical|irresponsible|dangerous|risky|unwise|improper|illegal|hard|difficult|unsuitable|inappropriate|unnecessary|irrelevant|impossible|excluded|eliminated|ruled|invalid|useless|worse|unavailable|insufficient|redundant|taken|occupied|booked|closed|busy|forbidden", "is|are|was|were|sold|drops|ruled out", "out", "no good|use|longer", "not found|available|possible|applicable|suitable|allowed|valid|supported|needed|required|necessary|relevant|useful|helpful", "fail|fails|failed|lack|lacks", "falls|fall apart", "off the table|list|menu", "interdit|interdite|interdits|verboten|untersagt|prohibido|prohibida|vietato|vietata|proibido|proibida|禁止",
		"nicht|falsch|ungeeignet|unpassend|unmoglich|ausgeschlossen|aus|unnotig|schlechter", "scheidet|scheiden|fallt|fallen ~3 aus|weg",
		"pas|incorrect|incorrecte|faux|fausse|inadapte|inadaptee|inutile|impossible|exclu|exclue|exclus|exclues|moins",
		"ya se|fue|ha", "ja foi", "no|incorrecta|incorrecto|falsa|inadecuada|inutil|imposible|descartada|descartadas|descartado",
		"non|sbagliata|sbagliato|errata|inutile|impossibile|esclusa|escluso|escluse", "nao|errada|errado|incorreta|impossivel|descartada",
		"已经|已 ~1 做完|完成|处理|做过|办完", "ya esta|estan|quedo|quedaron",
		"已经试|已经用|试过|用过|不|不是|不对|不合适|不适合|不行|错误|错|无关|排除", "ではなく|ではない|ではありません|じゃない|ません|ない|不適切|間違い|誤り|除外",
	},
	cueGood: {
		"is|are left", "remains", "qu il faut|convient", "la seule|le seul", "has|takes priority", "prioritaire|prioritaria|prioritario|vorrangig",
		"should|must be done|taken|executed|performed|run|called ~1 next|first|now",
		"vernunftig|vernunftigste|vernunftigsten|klug|klugste|klugsten|prudent|sage|prudente|sensato|sensata|razonable|raisonnable|aconsejable",
		"logique|pertinente|pertinent|sensee|evidente|logica|logico|sensata|sensato|sinnvoll|sinnvolle|sinnvollste|logisch|logische|naheliegend|naheliegende|obvious|natural|safest|wisest|easiest|strongest|cleanest",
		"best|better|correct|right|suitable|appropriate|ideal|logical|sensible|fitting|preferable|optimal|perfect|fits|fit|wins|preferred|works|winner|suits|matches|beats|outperforms|surpasses|outweighs|needed|required|necessary", "only|sole|single option|choice|one|tool|candidate|way|possibility", "only|sole legal|valid|permitted|allowed|admissible|viable|feasible move|step|action|option|choice|answer|tool", "next step|action|move|tool", "nachste|nachster|nachstes schritt|aktion|werkzeug", "prochaine|prochain etape|action|outil", "siguiente|proximo paso|passo", "only|last ~2 left|remaining|available|possible", "my ~1 choice|pick|answer|selection|recommendation|preference|vote", "the ~2 choice|answer|pick|winner|one|way|solution|fit|match", "it is", "makes|make ~1 most|sense", "would|is do|fine", "will do", "resolves|solves|fixes|settles", "suffices|suffice", "is enough|sufficient", "reicht|genugt|suffit|basta", "is what|where", "is|are what|exactly|precisely ~1 you|we|one|they want|need|wants|needs", "es lo|justo ~2 quiere|necesita|quieres|necesitas", "est ce qu|que il vous|te|l faut", "is true", "trifft ~1 zu", "trifft", "stimmt", "est vraie|exacte", "es cierta|verdadera",
		"richtig|richtige|beste|besten|besser|passt|geeignet|geeignete|geeignetste|korrekt|ideal|optimal|wahlen|nehmen|wahle|wahl|empfehlen|bevorzugen|vorziehen|passend|passende|entscheiden|sinnvollsten|antwort",
		"meilleur|meilleure|correcte|correct|bonne|bon|convient|adaptee|adapte|ideale|approprie|appropriee|juste|preferable|mieux",
		"mejor|correcta|correcto|adecuada|adecuado|ideal|apropiada|indicada|conviene|sirve|funciona|encaja",
		"migliore|corretta|corretto|giusta|adatta|ideale|appropriata|meglio", "melhor|correta|correto|certa|adequada|ideal|apropriada|serve",
		"最好|最佳|最合适|最适合|最合適|最適合|正确|正確|合适|适合|更好|最优|符合|最恰当|可行",
		"を選|にします|に決め|が最適|が適切|が正し|が一番|がよい|が良い|がいい|が最も|を使|が妥当|を推|がベスト|と答え",
	},
	cueIf: {
		"in|under ~1 theory|principle|different|other|another|ideal|perfect|hypothetical|normal ~1 world|case|situation|scenario|circumstances|conditions|universe", "in theory|principle", "on the surface|face", "let us assume|suppose|imagine|pretend", "supposons|supposez|imaginons", "supongamos|imagina", "angenommen", "theoretically|hypothetically|ideally|hypothetical|imaginary", "but for", "as soon as", "after you|i|the ~3 confirm|confirms|agree|approve|know|have",
		"theoretisch|hypothetisch|idealerweise", "im prinzip|idealfall", "unter anderen", "sobald|solange",
		"en theorie|principe", "theoriquement", "des que", "en teoria|principio", "teoricamente", "en cuanto", "tan pronto", "理论上|原则上|一旦|假设",
		"if|unless|whether|assuming|supposing|suppose|assume|depending|otherwise|else", "provided that|the|it|he|she|they|there|we|you|i|no|all", "in case", "when|whenever|once", "as long as", "were it|i|we",
		"wenn|falls|sofern|sonst|ansonsten|andernfalls|ob|soweit", "si|sinon|autrement", "s il|ils", "au cas ou", "a moins que|d", "selon", "si|sino es", "de lo contrario", "en caso de|contrario", "a menos que",
		"当 ~9 时", "等 ~9 后", "altrimenti|qualora|seconda", "caso|senao", "do contrario", "如果|若|假如|要是|否则|倘若|取决于|もし|なら|場合|れば|たら",
	},
	cueAside: {
		"only|erst|seulement|solo|solamente ~3 then|afterwards|later|danach|dann|spater|ensuite|apres|despues|luego", "only after that|this", "come|comes ~1 later|afterwards|after", "can|could|may|might|should|will follow|come|wait|happen", "kann|konnte|sollte ~3 danach|spater|warten|folgen|anschliessend", "peut|pourra|pourrait ~2 ensuite|apres|attendre|suivre", "puede|podra|podria ~2 despues|luego|esperar|seguir", "可以稍后|稍后再|之后再|以后再", "kommt|kommen|kame ~3 spater|danach|dran|anschliessend", "vient|viendra ensuite|apres", "viene|vendra despues|luego", "然后才|之后才|才是|才能|才可",
		"j allais|aurais", "iba a", "i was going", "wollte ~1 zuerst|erst", "原本|本想",
		"au debut|depart|commencement", "premiere|primera|primeira|prima vue|vista", "ersten blick", "first glance|sight", "乍一看|乍看", "al principio|comienzo|inicio",
		"would|could|should|might have ~1 been|chosen|picked|selected|gone|recommended|said|used|preferred|worked|taken|done|made", "ware|waren ~5 gewesen", "i|we|ich|wir hatte|hatten", "aurais|aurait|aurions|auraient ~1 ete|choisi|pris|dit|recommande|prefere|opte|fallu", "habria|hubiera|hubiese ~1 sido|elegido|escogido|dicho|preferido|recomendado|optado", "本应|本该|本可以|原本会",
		"the former|latter", "last time", "上次|上一次|昨天", "such as", "so would|does|could", "let us start|begin with", "also|alternatively|backup|fallback|initially|originally|previously|likewise|similarly|normally|usually|typically", "for example|instance", "already did|done|tried|used|tested|performed|executed|ran|called", "there is", "i|we|you|one could|might|may ~1 choose|pick|select|go|use|take|recommend|say|argue", "ich|wir|man konnte|konnten", "je|on|nous|vous ~1 pourrais|pourrait|pourrions|pourriez|peut", "podria|podriamos|puede|poderia|poderiamos|pode ~1 elegir|escoger|seleccionar|usar|tomar|escolher|selecionar|optar", "可以选|可以用|可选", "こともでき|ことができ|てもいい", "zum beispiel", "par exemple", "por ejemplo|exemplo", "例如|比如|例えば|たとえば", "normalerweise|eigentlich|normalement|normalmente", "as well", "at first", "was|were going|about to", "second best|choice", "next best", "close second", "runner up",
		"auch|ebenfalls|alternativ|anfangs|ursprunglich|ersatzweise|notfalls", "zweite wahl", "zweitbeste",
		"aussi|egalement|alternativement|initialement", "a defaut", "deuxieme choix",
		"tambien|alternativamente|inicialmente", "al principio", "segunda eleccion",
		"anche|alternativamente|inizialmente", "tambem|alternativamente|inicialmente",
		"也可以|也可|也能|也行|另外|其次|备选|最初|起初|一开始|曾考虑|也|本来", "でもよい|でも良い|も可|も可能|最初|も考え|次点",
	},
	cueHedge: {
		"i|we|you|one could|might|may",
		"too|secondly|another|plausible|possible|possibly|tempting|tempted|acceptable|considered|considering|consider|instinct|tentatively|looked|compare|comparing|compared|thought|candidate|candidates|alternatives|alternative|ok|okay|viable|feasible|maybe|perhaps|promising", "first thought|idea|glance|guess|impression", "erster|erste|ersten gedanke|idee|eindruck|impuls|blick", "premiere|premier idee|intuition|impression|reflexe|vue", "primera|primer idea|impresion|intuicion|impulso", "prima idea|impressione", "primeira ideia|impressao", "could|might|may|can ~1 work|do|help|be|use|choose|try",
		"gepruft|betrachtet|erwogen|verglichen|abgewogen|examine|envisagee|barajado|considerado|sopesado", "moglich|denkbar|uberlegte|uberlegt|dachte|vielleicht|eventuell", "alternative|possible|envisageable|envisage|hesite|pensais|peut|eventuellement", "alternativa|posible|podria|pense|pensaba|considere|quizas|quiza",
		"possibile|potrebbe|pensavo|forse|alternativa", "possivel|poderia|pensei|talvez", "可能|也许|或许", "かもしれ|かも",
	},
	cueFix: {
		"retiro lo dicho", "me retracto", "looking again", "nehme ~2 zuruck", "je retire", "改选|还是选|收回",
		"wait", "no wait", "scratch that", "correction", "on|upon|after second|further|reflection|closer|reconsideration ~1", "actually", "hold on", "let me correct|reconsider|rethink|revise|change", "i mean|meant", "i take that back", "sorry", "strike that", "changed my mind", "changing my answer", "oops|rather", "no",
		"moment", "korrektur", "nein", "doch", "genauer gesagt", "vielmehr", "korrigiere", "bei naherer|genauerer betrachtung", "bei ~1 genauerem|naherem hinsehen", "genauer betrachtet", "halt", "besser gesagt", "korrektur",
		"attendez|attends|rectification|correction|plutot|non|pardon", "en fait", "apres reflexion", "a la reflexion", "je me corrige|trompe",
		"espera|espere|correccion|rectifico|perdon|mejor", "no espera", "mejor dicho", "en realidad", "pensandolo bien", "me corrijo", "corrijo", "corrigo|correggo",
		"aspetta|anzi|correzione|scusa", "in realta", "ripensandoci", "espera|espere|correcao|alias", "na verdade", "pensando bem", "melhor",
		"等等|等一下|不对|更正|不，|纠正|其实|实际上|重新考虑|应该是|哦不", "いや|待って|訂正|やはり|やっぱり|実は|いえ",
	},
	cueOpen: {
		"or ~1 another|something|anything|others|else",
		"possible|potential next ~1 steps|actions|moves|options", "mogliche|denkbare nachste ~1 schritte", "prochaines|etapes possibles", "siguientes|proximos pasos posibles", "would|could|might|can both", "combine|combining|kombiniere|kombinieren|combinerais|combiner|combinar|combinaria|结合", "need|needs|use|require|requires|take|takes ~1 two|both|three|several|multiple ~1 tools|steps|options|actions|moves|calls", "not ~1 among|in|on|part|one of|the ~2 options|choices|list|possibilities", "not listed", "nicht ~1 unter|in|auf|bei|aufgefuhrt|dabei ~1 den|der ~1 optionen|moglichkeiten|liste|antworten", "pas ~1 dans|parmi la|les ~1 liste|options|propositions|choix", "no ~1 esta ~1 en|entre la|las ~1 lista|opciones", "不在 ~3 选项|列表|范围|其中",
		"it|that|this|answer|choice depends", "depends on", "toss|coin up|flip", "can|could not ~3 decide|determine|tell|judge|say|narrow|distinguish|conclude", "unable to ~2 decide|determine|tell|judge|say|choose|pick|select", "not ~2 sure|certain|clear|obvious", "unsure|uncertain|unclear|ambiguous|undecided|torn", "do|does not know", "no idea", "need|needs|require ~2 more|further|additional ~2 information|context|details|info|data|clarification", "insufficient|lack ~1 information|context|details|data", "not|without ~1 enough|sufficient ~1 information|info|context|details|data|evidence",
		"none of|fits|applies|apply", "none", "no ~4 option|options|choice|choices|answer|tool|one|correct|suitable", "no ~1 valid|applicable|appropriate|possible|safe|good|sensible ~1 action|actions|step|steps|move|moves|candidate", "no ~1 clear|single|obvious choice|answer|winner|option|preference|favourite|favorite|best", "all|any of ~2 them|these|options|above|choices|work|would", "all ~2 options|equally|possible|work|valid", "equally", "either ~3 fine|work|works|way|would|is|could", "both ~3 work|fine|good|possible|valid|options|are|would|could|seem|look", "hard|difficult|tough|impossible to say|choose|decide|tell|pick|know|determine", "your|you choice|decide|choose|prefer", "tie|tied",
		"kommt ~2 darauf an", "hangt ~4 ab", "keine|keiner|keines|kein ~3 moglichkeit|moglichkeiten|option|optionen|davon|auswahl|passt|antwort", "keine|keiner|keines der|von", "kann|konnen ~5 nicht ~3 sagen|entscheiden|beurteilen|bestimmen|wissen|festlegen", "weiss ~3 nicht", "nicht ~1 sicher|klar|eindeutig|entscheidbar", "nicht|zu genug|wenig informationen|details|angaben", "fehlen|fehlt ~3 informationen|angaben|details|kontext|information", "unklar|unentschieden|unsicher|gleichwertig", "brauche|benotige ~2 mehr|weitere|nahere", "beide|beides ~4 moglich|gut|geeignet|sinnvoll|passen|gehen", "schwer|schwierig zu", "alle ~3 moglich|gut|geeignet|gleich",
		"cela|ca|tout depend", "depend de|du|des", "aucune|aucun ~5 option|options|choix|convient|reponse|proposition|possibilite", "aucune|aucun de|des|ne", "je ne sais|peux pas ~3 trancher|decider|determiner|dire|savoir", "je ne sais pas", "ne ~2 sais pas", "pas ~2 sur|sure|certain|clair", "pas assez d|de", "hesite entre", "besoin de ~2 plus|details|informations|precisions", "les deux ~3 conviennent|possibles|vont|fonctionnent|valables|marchent", "tous|toutes ~3 possibles|valables|conviennent", "difficile de|a", "indecis|ambigu|equivalentes|equivalents",
		"depende", "depende de", "ninguna|ninguno", "no ~1 se|sabria|sabe", "no ~1 puedo ~3 decidir|determinar|decir|saber", "no ~2 seguro|segura|claro", "no ~2 suficiente|suficientes ~1 informacion|datos|detalles|contexto", "necesito ~2 mas", "ambas|ambos|cualquiera|indistintamente", "las|los dos|tres ~2 sirven|son|valen|podrian", "dificil decidir|decir|elegir|saber", "todas|todos ~3 validas|posibles|sirven|son",
		"dipende", "nessuna|nessuno", "non ~1 so|sono ~1 sicuro|sicura|decidere|quale", "non so", "entrambe|entrambi", "depende|nenhuma|nenhum|ambas|ambos", "nao ~1 sei|consigo ~1 decidir|dizer|determinar", "nao sei",
		"取决于|视情况|看情况|都可以|都行|都合适|均可|皆可|没有合适|没有一个|都不|均不|无法确定|无法判断|无法决定|不能确定|不确定|不清楚|不知道|难以|难说|信息不足|需要更多|随便|没有正确|以上都|一样好|同样好|同样合适|同样适合|同样可以|同样有效|不好说|哪个",
		"によります|次第|どちらも|どれも|わかりません|分かりません|判断できません|決められません|該当なし|ありません|いずれも|情報が不足|どちらで|どれでも|不明|選べません",
	},
	cueAsk: {
		"could|can|would|will|please ~1 you ~4 clarify|tell|specify|provide|share|confirm|like|explain|prefer|say", "please clarify|specify|provide|tell|confirm|upload|share|give|send", "let me know", "which ~4 you|should", "do you want|prefer|mean",
		"konnten|konnen|bitte|mochten|wollen|wunschen sie|du", "pouvez|pourriez|voulez|souhaitez vous", "podrias|podria|puedes|quieres|desea|prefiere|prefieres ~2 decirme|aclarar|que|indicar|especificar|proporcionar|confirmar",
		"请提供|请问|请告诉|您希望|你想|您想", "教えてください",
	},
	cueRefuse: {
		"do|would|will|can|could not ~1 recommend|choose|pick|select|prefer|endorse any|either|one|these|them",
		"content|output|response|reply|answer|message|request ~3 flagged|filtered|blocked|withheld by|due", "flagged|blocked|withheld|removed by ~3 filter|filters|moderation|policy", "content|safety filter|filters|moderation",
		"am|will not ~1 following|obeying|complying|follow|obey", "finger davon", "davon ~4 finger", "prefer|rather not to ~1 decide|choose|pick|answer|say", "lieber nicht ~3 entscheiden|wahlen|antworten", "prefere ~1 ne pas ~1 trancher|choisir|decider|repondre|me", "prefiero no ~1 elegir|decidir|opinar|responder|escoger", "不想替|不便替|不能替|不替",
		"i|we ~3 not ~4 help|assist|comply|fulfill|fulfil|answer|respond|participate|engage|accommodate",
		"can|could|will|would|may not ~4 help|assist|comply|fulfill|fulfil|answer|respond|participate|engage|accommodate|discuss", "unable to ~3 help|assist|comply|fulfill|fulfil|answer|respond|participate|engage|choose|pick|select|decide|make|do|provide|give|offer|recommend|advise|approve|reject", "i|we can|could|will not ~2 continue|proceed", "must|will|politely|respectfully|would|rather ~1 decline|refuse|pass", "not ~1 able|going|willing|allowed|permitted|comfortable to ~3 help|assist|comply|fulfill|fulfil|answer|respond|participate|engage|choose|pick|select|decide|make|do|provide|give|offer|recommend|advise|approve|reject", "have|need|going to decline|refuse", "would rather not", "decline to|this|that|your|the", "i decline|refuse", "refuse to", "not ~2 comfortable", "against|violates|violate ~2 guidelines|policy|policies|rules|principles|terms", "not appropriate|possible for me", "not something i", "wrong|inappropriate|improper|irresponsible|unethical|harmful|unsafe ~1 of|for me", "kann|konnen|darf|mochte|werde ~7 keine|keinen|kein|keinerlei ~4 treffen|geben|machen|auskunft|antwort|hilfe|wahl|entscheidung", "impossible de ~3 aider|repondre|faire|satisfaire|donner", "outside ~3 scope|capabilities",
		"can|could|will|would not ~1 make|do ~1 this|that|the|a|any|choices|decisions|choice|decision", "can|could|will|would not ~1 choose|pick|select|decide|recommend|give|offer|provide ~2 between|among|one|for|any|from|an|a|options|advice|choice|answer|that|this|assistance|help", "can|could|will|would not ~1 choose|decide|comply|pick|help|answer",
		"as ~1 ai|large ~4 can|do|am ~1 not|unable", "do not have ~2 opinion|opinions|preference|preferences|ability", "against my",
		"kann|konnen|darf|mochte|werde|kannst ~7 nicht ~6 helfen|weiterhelfen|beantworten|unterstutzen|treffen|nachkommen|erfullen|behilflich|auswahlen|wahlen|bearbeiten|antworten|erledigen|tun|machen|abnehmen|entscheiden", "nicht ~4 in der lage", "ablehnen|verweigere|lehne", "nicht moglich ~2 ihnen|dir|dabei|zu", "gegen meine|die ~2 richtlinien|regeln",
		"ne peux|puis|saurais|pourrais|pouvons pas|malheureusement|vous|t|y|le|repondre|aider|choisir|faire ~4 aider|repondre|assister|choisir|faire|aide|prendre|satisfaire|traiter|donner|fournir", "ne peux|puis|saurais|pourrais pas", "peux pas ~4 aider|repondre|choisir|faire|assister", "ne suis pas en mesure|autorise|autorisee|capable", "suis pas en|autorise|capable|a", "impossible de ~3 aider|repondre|faire|choisir|satisfaire|donner", "refuse de", "dois refuser|decliner", "contraire a|aux ~3",
		"no puedo|podemos|podre|podria ~4 ayudar|ayudarte|ayudarle|ayudarlo|asistir|asistirte|responder|elegir|hacer|hacerlo|cumplir|tomar|proporcionar|realizar|completar|contestar|escoger|atender|dar|continuar|seleccionar", "no ~1 es ~1 posible ~2 ayudar|ayudarte|responder|hacer", "no estoy en|autorizado|autorizada|capacitado|condiciones", "me niego", "debo rechazar|negarme|declinar", "no me es posible", "soy incapaz",
		"non posso|sono|sarei|potrei ~4 aiutare|aiutarti|aiutarla|rispondere|scegliere|fare|farlo|assistere|grado|soddisfare|fornire", "mi rifiuto", "nao posso|consigo|podemos|estou ~4 ajudar|ajuda|responder|escolher|fazer|atender|cumprir|ajudalo|condicoes|auxiliar|fornecer", "recuso",
		"无法|不能|没法|没办法|没有办法|不可以|难以|不便 ~7 帮|协助|回答|完成|提供|满足|处理|继续|选择|答复|做出|作出|选|执行|参与|帮助|回应|给出", "拒绝|不方便|无可奉告|爱莫能助|恕我|违反", "無法|不能 ~7 協助|回答|完成|提供|幫|選擇|處理",
		"できません|できかねます|お答えでき|お手伝いでき|お断り|応じられ|対応できない|いたしかねます|お応えでき|控えさせ",
	},
	cueSorry: {
		"am|are ~2 sorry", "sorry|apologize|apologies|unfortunately|regret", "i can|could|will|am not", "i|am unable", "error|exception|traceback",
		"tut mir leid", "leider|entschuldigung|bedaure|entschuldigen", "desole|desolee|malheureusement|regrette|navre|excusez", "lo siento|lamento", "disculpe|disculpa|lamentablemente|desafortunadamente|siento|perdon", "mi dispiace|spiace", "spiacente|purtroppo", "desculpe|desculpa|infelizmente|lamento", "sinto muito",
		"抱歉|对不起|對不起|很遗憾|遗憾", "申し訳|すみません|残念|ごめん",
	},
	cueSaid: {
		"make|makes|made|making|ask|asks|asked|asking|tell|tells|told|telling|get|force|forces|order|orders|instruct|instructs me|us to|call|choose|pick|use|select",
		"viele|manche|meisten ~2 wahlen|nehmen|bevorzugen|wurden|empfehlen", "plupart|beaucoup|certains|certaines ~4 choisissent|choisiraient|prennent|preferent|preferaient|optent|recommandent|opteraient", "mayoria|muchos|muchas|algunos|algunas ~3 elige|eligen|elegiria|elegirian|prefiere|prefieren|escoge|escogen|recomiendan", "很多|大多|许多|多数|一般|大家|有些 ~3 选|会选|推荐|认为|喜欢",
		"user|users|customer|customers|client|clients|colleague|colleagues|agent|assistant|friend|boss|manager|expert|experts|author|authors|teacher|doctor|reviewer|reviewers|majority|team|committee|someone|somebody|everybody|everyone|some|others|people|many|most|he|she|they|documentation|docs|manual|handbook|guide|guideline|guidelines|policy|article|report|instructions|runbook|rule ~2 recommend|recommends|recommended|suggest|suggests|suggested|propose|proposes|proposed|say|says|said|think|thinks|thought|believe|believes|believed|chose|picked|selected|prefer|prefers|preferred|vote|votes|voted|wrote|writes|claim|claims|claimed|argue|argues|argued|mentioned|advise|advises|advised|insists|insisted|opted|requested|told|tells",
		"user|customer|client|colleague|he|she|they asked|asks|ask for", "user|customer|client|colleague|he|she|they|you want|wants|wanted", "you ~1 recommended|suggested|proposed|said|chose|picked|selected|mentioned|wrote|preferred|requested|asked|told|used|tried", "vous|tu avez|as ~1 choisi|pris|retenu|propose|demande|dit|suggere", "your example|suggestion|proposal|recommendation|preference", "was|were|am|are|been told|asked|advised|instructed|supposed to", "according to ~1 user|customer|client|colleague|agent|assistant|friend|expert|experts|author|him|her|them",
		"benutzer|nutzer|kunde|kunden|kundin|kollege|kollegen|kollegin|agent|assistent|freund|jemand|chef|manche|viele ~2 empfahl|empfiehlt|empfehlen|sagt|sagte|sagen|meint|meinte|meinen|denkt|glaubt|schlagt|schlug|wahlte|bevorzugt|hat|habe|hatte|haben", "er|sie|man hat|haben", "solle", "laut|nach ~1 kunde|kunden|kollege|kollegen|benutzer|nutzer", "selon|apres ~1 client|collegue|utilisateur", "segun|segundo ~1 cliente|colega|usuario",
		"utilisateur|utilisatrice|client|cliente|collegue|agent|assistant|ami|amie|chef|quelqu|certains ~2 recommande|propose|suggere|dit|pense|croit|choisi|choisit|prefere|conseille",
		"usuario|usuaria|usted|ustedes|voce|voces|cliente|colega|companero|companera|agente|asistente|assistente|amigo|jefe|alguien|alguem ~2 recomendo|recomendado|recomienda|sugirio|sugiere|propuso|propone|dijo|dice|piensa|cree|eligio|escogio|prefiere|prefirio|aconseja|recomendou|recomenda|sugeriu|sugere|propos|propoe|disse|diz|pensa|acha|acredita|escolheu|prefere|preferiu",
		"utente|cliente|collega|agente|assistente|amico|qualcuno ~2 consigliato|consiglia|raccomandato|raccomanda|suggerito|suggerisce|proposto|propone|detto|dice|pensa|crede|scelto|preferisce",
		"您|你 ~1 推荐|建议|提到|说|要求", "别人|用户|用戶|同事|客户|客戶|顾客|朋友|老板|助手|作者|专家|主管|经理|上司|领导|老师|医生|有人|他|她 ~3 想要|希望|推荐|推薦|建议|认为|要求|說|说|选择|选|觉得|提议|倾向",
		"ユーザー|利用者|同僚|顧客|お客様|上司|友人|誰か|彼|彼女 は|が",
	},
	cueYield: {
		"leave|leaving ~4 to|up you", "up to you", "for yourself|yourselves", "you|user|customer ~2 decide|choose|pick|make ~2 yourself|yourselves", "your ~1 call|decision",
		"selbst|selber ~1 entscheiden|wahlen|uberlegen", "ihnen|dir|euch uberlassen", "liegt bei ihnen|dir|euch", "a vous|toi de ~1 decider|choisir|voir|trancher", "vous laisse ~2 choisir|decider|choix", "que decidirlo|decidir ~1 tu|usted", "depende de ti|usted", "decision es tuya|suya", "lo dejo en tus|sus", "由 ~1 您|你", "您|你 ~1 自己", "自己|您|你 决定|做主|判断", "决定权",
	},
	cueFirst: {
		"firstly|zuerst|zunachst|primero", "先", "d abord", "primero de todo", "首先|まず",
	},
	cueThat: {
		"i|we ~3 recommend|choose|pick|select|suggest|prefer|take it|that|this", "i|we ~3 go with|for it|that|this", "that|this is ~2 my|our ~1 choice|pick|answer|recommendation|selection", "that|this is the one|winner", "that|which one it is", "that|this is what|how i|we would|will|shall ~1 do|choose|pick|take|recommend|answer",
		"nehme|wahle|empfehle|bevorzuge ~1 ich ~1 sie|ihn|es|das|diese|diesen|dieses", "ich ~1 nehme|wahle|empfehle|bevorzuge ~1 sie|ihn|es|das|diese|diesen|dieses", "die|das|den|diese|diesen|dieses|sie nehme|wahle|empfehle ich", "dafur entscheide ich mich", "ich entscheide mich ~1 dafur",
		"je la|le choisis|recommande|retiens|prends|prefere", "choisis|retiens|prends|recommande celle|celui|celle la|ci", "c est celle|celui ~1 que je", "la|lo elijo|recomiendo|escojo|selecciono", "me quedo con ella|esa|esta|ese|este", "就选它|就选这个|选它|选这个|就是它|选择它|选择这个|推荐它",
	},
	cueSkip: {
		"all|any|every|everything|anything|nothing|none ~3 except|excluding|besides|save", "all|any|every|everything|anything ~3 other than", "all|any|every|everything|anything ~3 apart from", "nothing|none|no ~2 but", "alles|alle|keine|keiner|keines|nichts ~3 ausser", "tout|tous|toutes|rien|aucun|aucune ~3 sauf|hormis|excepte", "todo|todos|todas|nada|ninguna|ninguno|cualquier|cualquiera ~3 menos|excepto|salvo",
		"you are right", "leaves|leave|leaving on|at|from|before|after|around", "let us|me ~1 consider|compare|weigh|examine|review|check|list|look",
		"en|in|em ~2 caso", "je pense", "right away|now|after|before", "error rate|rates|budget|log|logs|handling|page|pages|messages", "nur noch", "ne reste|restent",
		"anything|something|nothing|everything|anyone|nobody else", "no other ~2 option|options|choice|choices|answer|tool|one", "has|have|had|been|was|were provided", "has|have|had|been|was|were already|also provided", "if i had|have|need|needed|must|were|was|should", "if forced|pressed|pushed|anything|asked", "if i|we am|are|were ~1 forced|pressed|pushed|asked|made", "even if|though", "as if", "not only", "without ~1 doubt|question", "no doubt|question|need|problem", "can not help but", "not least", "wenn ich ~2 muss|musste|muesste", "auch wenn", "faut|doit|dois|devons|devez d abord", "si je devais|dois", "si tuviera|tengo que", "meme si", "aunque", "no obstante", "more than", "not sure why|how|what", "second thought|thoughts", "first choice|pick", "over here|there|all", "just to be|make sure", "no matter", "ein moment", "rather than", "plutot que", "mejor que", "first of all", "which is",
		"其他|其它|其余|剩下的|另外的|别的 ~5 都不|均不|不合适|不适合|不行|不适用|不对|不符合|没有", "选项|選項|可选|候选|選択肢|选择题|不过|不仅|不但|不管|不错|差不多|不同|不需要|不错|不用|非常|除非", "既然", "能够", "私|僕|俺|わたし なら",
	},
}

type phrase struct {
	sense    cue
	elements []element
}

// element is a gap, or a choice between sequences of words.
type element struct {
	gap  int
	alts [][]string
}

// lexicon has the phrases by their first words.
var lexicon = sync.OnceValue(func() map[string][]phrase {
	out := map[string][]phrase{}
	for sense := cuePick; sense <= cueSkip; sense++ {
		for _, text := range cues[sense] {
			p := parsePhrase(sense, text)
			first := map[string]bool{}
			for _, alt := range p.elements[0].alts {
				if !first[alt[0]] {
					first[alt[0]] = true
					out[alt[0]] = append(out[alt[0]], p)
				}
			}
		}
	}
	return out
})

func parsePhrase(sense cue, text string) phrase {
	p := phrase{sense: sense}
	for _, part := range strings.Fields(text) {
		if gap, ok := strings.CutPrefix(part, "~"); ok {
			p.elements = append(p.elements, element{gap: int(gap[0] - '0')})
			continue
		}
		var e element
		for _, alt := range strings.Split(part, "|") {
			e.alts = append(e.alts, wordsOf(alt))
		}
		slices.SortStableFunc(e.alts, func(a, b []string) int { return len(b) - len(a) })
		p.elements = append(p.elements, e)
	}
	return p
}

// match returns the index after the phrase at a token, or -1.
func match(elements []element, tokens []token, i int) int {
	if len(elements) == 0 {
		return i
	}
	if gap := elements[0].gap; gap > 0 {
		for skipped := 0; skipped <= gap; skipped++ {
			if end := match(elements[1:], tokens, i); end >= 0 {
				return end
			}
			if i >= len(tokens) || tokens[i].kind != word {
				return -1
			}
			i++
		}
		return -1
	}
	for _, alt := range elements[0].alts {
		if !sequenceAt(alt, tokens, i) {
			continue
		}
		if end := match(elements[1:], tokens, i+len(alt)); end >= 0 {
			return end
		}
	}
	return -1
}

func sequenceAt(words []string, tokens []token, i int) bool {
	if i+len(words) > len(tokens) {
		return false
	}
	for k, w := range words {
		if tokens[i+k].kind != word || tokens[i+k].text != w {
			return false
		}
	}
	return true
}
