package formulate

import "testing"

// The tasks were written for this test.
func TestStepsAreRecognisedInSeveralLanguages(t *testing.T) {
	for _, c := range []struct {
		task, data string
		want       bool
	}{
		{"A farmer has to cross a river with a wolf, a goat and a cabbage. All are on the left bank. The boat carries the farmer and one of them at a time. In the end all have to be on the other side.", "", true},
		{"Ein Bauer will mit Wolf, Ziege und Kohl einen Fluss überqueren. Zu Beginn stehen alle am linken Ufer. Das Boot trägt den Bauern und eines von ihnen. Am Ende sollen alle am anderen Ufer sein.", "", true},
		{"Un robot déplace des caisses. Il porte une seule caisse à la fois. Au début, la caisse A se trouve dans la salle 1. À la fin, elle doit être dans la salle 2.", "", true},
		{"Un robot mueve cajas y lleva una sola caja a la vez. Al principio, la caja A está en la sala 1. Al final debe estar en la sala 2.", "", true},
		{"农夫要带狼、羊和白菜过河。开始时都在左岸，船一次只能带一样。最后都要到对岸。", "", true},
		{"Drive the truck and load the crates. The crates are at the depot. The goal is that each crate has to be at its shop.", `{"initial": {"a": "depot"}, "goal": {"a": "shop"}}`, true},
		{"Drive the truck and load the crates. The crates are at the depot. The goal is that each crate has to be at its shop.", `{"crates": [1, 2]}`, false},
		{"Drive the truck and load the crates. The crates are at the depot. The goal is that each crate has to be at its shop.", `{"initial": `, false},
		{"Choose a warehouse for each shop, so that the total cost is minimized and no capacity is exceeded. Each shop has to be served.", "", false},
		{"Wähle für jede Filiale ein Lager, so dass die Kosten minimal sind und keine Kapazität überschritten wird. Am Ende muss jede Filiale beliefert werden.", "", false},
		{"Translate the sentence into French.", "", false},
		{"Schreibe eine Zusammenfassung des Textes.", "", false},
		{"Find three dates on which all colleagues are free. Nobody has to be disturbed.", "", false},
	} {
		if got := (&Problem{Task: c.task, Data: c.data}).SeemsSteps(); got != c.want {
			t.Errorf("%v, want %v: %s %s", got, c.want, c.task, c.data)
		}
	}
}
