package formulate

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Phrases of tasks whose plans have steps: actions, a first state and a goal, in English, German, French, Spanish and Chinese.
var (
	actionWords = []string{
		"pick up", "pick-up", "picks up", "put down", "put-down", "puts down", "unstack", "stack ", "move ", "moves ", "moving", "drive ", "drives ", "load ", "unload", "carry", "carries", "push", "walk", "actions", "action ", "one step", "steps", "one thing is done at a time", "at a time", "cross", "can be done", "can do", "ferry", "ferries", "rows ", "boat", "pour", "swap", "slide", "turn on", "turn off",
		"aktion", "schritt", "beweg", "fahr", "fähr", "trag", "trägt", "stapel", "schieb", "überquer", "setzt", "übersetz", "boot", "auf einmal", "gleichzeitig", "lade",
		"étape", "déplac", "porter", "porte ", "empil", "pousse", "travers", "bateau", "barque", "à la fois", "charger",
		"acción", "acciones", "pasos", "mover", "mueve", "llevar", "lleva ", "apil", "empuj", "cruza", "barca", "a la vez", "cargar",
		"动作", "步骤", "移动", "搬", "推", "过河", "渡河", "船", "一次",
	}
	stateWords = []string{
		"initial", "at first", "at the start", "in the beginning", "in the first state", "first state", "currently", "now ", " is on ", " are on ", " is at ", " are at ", " is in ", " are in ", "holds of", "there is ", "starts ", "start on", "left bank", "left side", "is full", "is empty", "is closed",
		"anfang", "zu beginn", "zuerst", "zunächst", "zurzeit", "derzeit", " ist auf ", " sind auf ", " steht auf ", " stehen auf ", " liegt ", " liegen ", " steht ", " stehen ", "linken ufer",
		"au début", "initial", "au départ", "actuellement", " est sur ", " sont sur ", " se trouve", "rive gauche",
		"al principio", "al inicio", "inicial", "actualmente", " está en ", " están en ", " está sobre ", "orilla izquierda",
		"初始", "开始", "起初", "左岸", "现在",
	}
	goalWords = []string{
		"goal", "has to be", "have to be", "must be", "should be", "needs to be", "end up", "in the end", "at the end", "is to be", "wants to get", "want to get", "to the other side", "to the right", "across",
		"ziel", "am ende", "sollen", "soll ", "muss ", "müssen", "anderen ufer", "andere ufer", "rechte ufer",
		"à la fin", "objectif", "doit être", "doivent être", "autre rive", "rive droite",
		"al final", "objetivo", "debe estar", "deben estar", "otra orilla", "orilla derecha",
		"目标", "最后", "对岸", "右岸",
	}
	// numberWords occur in problems about quantities, whose plans are choices of values.
	numberWords = []string{
		"cost", "price", "capacity", "demand", "minimi", "maximi", "profit", "budget", "least total", "per unit",
		"kosten", "preis", "kapazität", "bedarf", "gewinn", "coût", "prix", "capacité", "demande", "bénéfice", "precio", "capacidad", "demanda", "beneficio", "成本", "价格", "容量", "需求", "利润", "预算",
	}
)

// SeemsSteps reports whether the plan of a problem seems to be a sequence of actions: the form of
// the answer has steps, or the texts mention several actions, a state and a goal, and no
// quantities. Data count only if they have a first state and a goal. The result is a proposal for a
// problem that has no formulation yet; a text in another language than those of the phrases is not recognised.
func (p *Problem) SeemsSteps() bool {
	if strings.Contains(p.Output, `"{plan}`) {
		return true
	}
	text := strings.ToLower(" " + strings.Join(strings.Fields(strings.NewReplacer("*", "", "\n", " ").Replace(p.Task+" "+p.Query)), " ") + " ")
	count := func(words []string) (n int) {
		for _, w := range words {
			if strings.Contains(text, w) {
				n++
			}
		}
		return n
	}
	return (strings.TrimSpace(p.Data) == "" || hasStates(p.Data)) &&
		count(actionWords) >= 2 && count(stateWords) > 0 && count(goalWords) > 0 && count(numberWords) < 2
}

// hasStates reports whether data are an object with a first state and a goal.
func hasStates(data string) bool {
	tree, fault := json.Tree(data)
	if fault != nil || tree.Kind != '{' {
		return false
	}
	first, goal := false, false
	for _, m := range tree.Members {
		key := strings.ToLower(m.Key)
		first = first || strings.HasPrefix(key, "init") || strings.HasPrefix(key, "start")
		goal = goal || strings.Contains(key, "goal") || strings.Contains(key, "target")
	}
	return first && goal
}
