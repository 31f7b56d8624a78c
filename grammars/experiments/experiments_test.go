package experiments_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/grammars/experiments"
)

// ours are methods that a paper's table does not have, by experiment: in Formal-LLM's
// second, plans in free text before the training; in PMC's, a team with our constraints.
var ours = map[string][]string{
	"formal-llm-1": {"zero-shot, with tools", "few-shot, with tools"}, "formal-llm-2": {"zero-shot, not in the paper"},
	"pmc-1": {"PMC and checks"}, "pmc-2": {"PMC and checks"}, "pmc-3": {"PMC and checks"}, "pmc-5": {"PMC and checks"}, "llmfp-6": {"1 round", "2 rounds", "3 rounds", "4 rounds"},
}

func TestEveryTableOfThePapersHasAnExperiment(t *testing.T) {
	all, err := experiments.All()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
		text, err := experiments.File(e.Name + ".lab")
		if err != nil {
			t.Fatal(err)
		}
		x, _ := lab.Parse(source.NewFile(e.Name+".lab", string(text)))
		if x.Name != e.Name || x.Title == "" || x.Note == "" || len(x.References) == 0 || x.References[0].Source == "" {
			t.Errorf("%s lacks a name, a title, a note or a source", e.Name)
		}
		if !strings.Contains(x.Note, "say nothing about language models") {
			t.Errorf("the note of %s claims something of simulated rows", e.Name)
		}
		if x.Format() != string(text) {
			t.Errorf("%s is not formatted", e.Name)
		}
		w, err := experiments.Workspace(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if needs := x.Needs(w.Files); len(needs) > 0 {
			t.Errorf("%s lacks %v", e.Name, needs)
		}
		cells, notes, err := x.Cells(w.Files, lab.Settings{})
		if err != nil || len(cells) == 0 || len(notes) != 1 {
			t.Errorf("%s: %d cells, %v %v", e.Name, len(cells), notes, err)
		}
		for _, m := range x.Methods {
			published := slices.ContainsFunc(x.References, func(r lab.Reference) bool {
				return slices.ContainsFunc(r.Rows, func(row lab.ReferenceRow) bool { return row.Method == m.Name })
			})
			if !published && !slices.Contains(ours[e.Name], m.Name) {
				t.Errorf("%s: nothing was published of %s", e.Name, m.Name)
			}
		}
	}
	want := "crouse-2023-1 crouse-2024-1 crouse-2024-2 formal-llm-1 formal-llm-2 formal-llm-5 llmfp-1 llmfp-2 llmfp-3 llmfp-4 llmfp-5 llmfp-6 pmc-1 pmc-2 pmc-3 pmc-4 pmc-5"
	if strings.Join(names, " ") != want {
		t.Errorf("there is %s", names)
	}
}

// silent are methods whose figures with a simulated model would say nothing about them: the model
// would be given the answer, the plan or the formulation, or would do as in another row.
var silent = map[string][]string{
	"formal-llm-1": {"zero-shot", "few-shot", "zero-shot, with tools", "few-shot, with tools"}, "formal-llm-2": {"zero-shot, not in the paper"}, "formal-llm-5": {"ReAct"},
	"crouse-2024-1": {"Direct", "CoT", "Direct → ReAct", "Direct → ReWOO", "Direct → PASS", "CoT → ReAct", "CoT → ReWOO", "CoT → PASS"},
	"crouse-2024-2": {"PASS, no summaries"},
	"llmfp-1":       {"direct", "CoT"}, "llmfp-2": {"direct", "CoT"}, "llmfp-3": {"no Definer", "no Formulator"}, "llmfp-4": {"LLMFP, with an example"},
}

func TestSilentMethodsHaveNoSimulatedRows(t *testing.T) {
	for name, methods := range silent {
		w, err := experiments.Workspace(name)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := w.File(name + ".lab")
		x, _ := lab.Parse(text.Source())
		cells, _, err := x.Cells(w.Files, lab.Settings{Tasks: 1})
		if err != nil || len(cells) == 0 {
			t.Fatal(name, err)
		}
		for _, m := range methods {
			if !slices.ContainsFunc(x.Methods, func(all lab.Method) bool { return all.Name == m }) {
				t.Errorf("%s has no method %q", name, m)
			}
		}
		for _, c := range cells {
			if o := c.Outcome; !o.Simulated || slices.Contains(methods, o.Method) {
				t.Errorf("%s has the cell %q", name, o.Key)
			}
		}
	}
}

// published has the number of figures in the papers' tables, their sum, and their sum weighted by
// position: by column, row and table. The values were computed from the papers' texts, not from
// the experiments.
var published = map[string]struct {
	figures      int
	sum, weighed float64
}{
	"crouse-2023-1": {53, 1389.3000, 5106277.70},
	"crouse-2024-1": {33, 1639.9000, 3899425.60},
	"crouse-2024-2": {12, 528.3000, 1213861.20},
	"formal-llm-1":  {54, 619.4605, 662864.01},
	"formal-llm-2":  {54, 717.5552, 788852.66},
	"formal-llm-5":  {12, 456.8000, 968259.60},
	"llmfp-1":       {54, 1643.8000, 4375533.50},
	"llmfp-2":       {45, 1975.6000, 4509107.40},
	"llmfp-3":       {39, 2355.2000, 9447419.90},
	"llmfp-4":       {16, 1172.6000, 4144720.00},
	"llmfp-5":       {59, 409.6140, 9203957.57},
	"llmfp-6":       {18, 1332.2000, 5125841.10},
	"pmc-1":         {60, 2460.1900, 7052977.46},
	"pmc-2":         {72, 2788.9100, 8212601.64},
	"pmc-3":         {111, 7603.7800, 78734413.50},
	"pmc-4":         {52, 2027.7052, 3372844.08},
	"pmc-5":         {180, 7355.0300, 65625876.14},
}

func TestPublishedFiguresAreUnchanged(t *testing.T) {
	for name, want := range published {
		text, err := experiments.File(name + ".lab")
		if err != nil {
			t.Fatal(err)
		}
		x, _ := lab.Parse(source.NewFile(name+".lab", string(text)))
		figures, sum, weighed := 0, 0.0, 0.0
		for _, r := range x.References {
			for _, row := range r.Rows {
				for i, f := range row.Values {
					if f == nil {
						continue
					}
					value := f.Value
					if f.Share {
						value *= 100
					}
					figures++
					sum += value
					weighed += value * float64(i+1) * float64(len(row.Method)+7*len(row.Model)+49*len(r.Title))
				}
			}
		}
		if figures != want.figures || fmt.Sprintf("%.3f", sum) != fmt.Sprintf("%.3f", want.sum) || fmt.Sprintf("%.1f", weighed) != fmt.Sprintf("%.1f", want.weighed) {
			t.Errorf("%s: %d figures that come to %.4f and %.2f, not %d that come to %.4f and %.2f", name, figures, sum, weighed, want.figures, want.sum, want.weighed)
		}
	}
}

// kinds returns the number of tasks of each kind that an experiment on OpenAGI asks: of "Task 1",
// "Task 2", "Task 3" and "Task X", by the groups of its cells.
func kinds(t *testing.T, name string) (x *lab.Experiment, numbers [4]float64) {
	t.Helper()
	w, err := experiments.Workspace(name)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := w.File(name + ".lab")
	x, _ = lab.Parse(text.Source())
	cells, _, err := x.Cells(w.Files, lab.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range cells {
		if o := c.Outcome; !seen[o.Task] {
			seen[o.Task] = true
			numbers[slices.Index([]string{"Task 1", "Task 2", "Task 3", "Task X"}, o.Group)]++
		}
	}
	return x, numbers
}

// average returns the mean of a row's figures by kind of task, weighted by the numbers of tasks.
func average(row lab.ReferenceRow, numbers [4]float64) float64 {
	sum, of := 0.0, 0.0
	for i, n := range numbers {
		sum += n * row.Values[1+i].Value
		of += n
	}
	return sum / of
}

// The nine averages of Formal-LLM's table 1 follow from its figures of single kinds of tasks with
// the numbers of these among the experiment's 17 tasks: 1, 9, 3 and 4.
func TestPublishedAveragesAreWeighted(t *testing.T) {
	x, numbers := kinds(t, "formal-llm-1")
	if numbers != [4]float64{1, 9, 3, 4} {
		t.Errorf("the experiment has %v tasks of the kinds", numbers)
	}
	rows := x.References[0].Rows
	for _, row := range rows {
		mean := average(row, numbers)
		if valid := row.Values[0].Value * 17; math.Abs(mean-row.Values[5].Value) > 0.00006 || math.Abs(valid-math.Round(valid)) > 0.09 {
			t.Errorf("%s, %s: the average is %.5f, not %v; %.3f of 17 plans are valid", row.Method, row.Model, mean, row.Values[5].Value, valid)
		}
	}
	if len(rows) != 9 {
		t.Errorf("%d rows", len(rows))
	}
}

// The averages of table 2 do not follow from one classification of the 17 test tasks: four of Flan-T5
// and LLaMA-2 follow from that of their programs and of the experiment, with 1, 10, 3 and 3 tasks of
// each kind, two of Vicuna from that of table 1, and three from none.
func TestPublishedAveragesOfTable2(t *testing.T) {
	x, own := kinds(t, "formal-llm-2")
	if own != [4]float64{1, 10, 3, 3} {
		t.Errorf("the experiment has %v tasks of the kinds", own)
	}
	follows := map[string][]string{}
	for _, row := range x.References[0].Rows {
		from := "none"
		for name, numbers := range map[string][4]float64{"1, 9, 3, 4": {1, 9, 3, 4}, "own": own} {
			if math.Abs(average(row, numbers)-row.Values[5].Value) < 0.00006 {
				from = name
			}
		}
		follows[from] = append(follows[from], row.Method+", "+row.Model)
	}
	want := map[string][]string{
		"own":        {"Formal-LLM, Flan-T5-Large", "Formal-LLM and RLTF, Flan-T5-Large", "Formal-LLM, LLaMA-2-13B", "Formal-LLM and RLTF, LLaMA-2-13B"},
		"1, 9, 3, 4": {"RLTF, Vicuna-7B", "Formal-LLM, Vicuna-7B"},
		"none":       {"RLTF, Flan-T5-Large", "Formal-LLM and RLTF, Vicuna-7B", "RLTF, LLaMA-2-13B"},
	}
	if !maps.EqualFunc(follows, want, slices.Equal) {
		t.Errorf("%q, want %q", follows, want)
	}
}

// PMC's table 1 is the mean of its tables 5 to 7, weighted by their numbers of queries, except for
// the figures that the experiments' notes name. (The queries have different numbers of hard
// constraints, so that "hard, micro" has other weights.)
func TestPublishedLevelsOfPMC(t *testing.T) {
	testSet := func(name string) lab.Reference {
		text, err := experiments.File(name)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := lab.Parse(source.NewFile(name, string(text)))
		return x.References[1]
	}
	levels, all := testSet("pmc-5.lab"), testSet("pmc-1.lab")
	var differ []string
	for _, row := range all.Rows {
		i := slices.IndexFunc(levels.Rows, func(r lab.ReferenceRow) bool { return r.Method == row.Method && r.Model == row.Model })
		if i < 0 {
			t.Fatalf("no levels of %s, %s", row.Method, row.Model)
		}
		for c, title := range []string{"delivered", "common sense, micro", "common sense, macro", "hard, micro", "hard, macro", "final pass"} {
			sum, level := 0.0, levels.Rows[i].Values[3*c:3*c+3]
			for k, queries := range []float64{122, 104, 82} {
				sum += queries * level[k].Value
			}
			if title != "hard, micro" && math.Abs(sum/308-row.Values[c].Value) > 0.00011 {
				differ = append(differ, fmt.Sprintf("%s, %s, %s: %.4f for %.4f, hard level %.4f", row.Method, row.Model, title, row.Values[c].Value, sum/308, level[2].Value))
			}
		}
	}
	want := []string{
		"PMC, GPT-3.5, common sense, micro: 0.5751 for 0.5771, hard level 0.4924",
		"PMC, GPT-4, common sense, micro: 0.9146 for 0.8973, hard level 0.9146",
		"PMC, GPT-4, common sense, macro: 0.5000 for 0.5130, hard level 0.5000",
		"PMC, GPT-4, hard, macro: 0.4512 for 0.4415, hard level 0.4512",
		"PMC, GPT-4, final pass: 0.4268 for 0.4026, hard level 0.4268",
	}
	if !slices.Equal(differ, want) {
		t.Errorf("%q", differ)
	}
}

// The means of LLMFP's nine rates are not those of its abstract, 83.7 % and 86.8 %, which are 37.6 and
// 40.7 points above direct planning with o1-preview; the page of the paper states both.
func TestPublishedMeansOfLLMFP(t *testing.T) {
	means := map[string]float64{}
	for name, domains := range map[string]int{"llmfp-1.lab": 5, "llmfp-2.lab": 4} {
		text, err := experiments.File(name)
		if err != nil {
			t.Fatal(err)
		}
		x, _ := lab.Parse(source.NewFile(name, string(text)))
		for _, row := range x.References[0].Rows {
			sum := 0.0
			for _, v := range row.Values[:domains] {
				sum += v.Value
			}
			if mean := row.Values[domains].Value; math.Abs(sum/float64(domains)-mean) > 0.00051 {
				t.Errorf("%s, %s, %s: the mean is %.4f, not %.4f", name, row.Method, row.Model, sum/float64(domains), mean)
			}
			means[row.Method+", "+row.Model] += sum / 9
		}
	}
	for row, want := range map[string]string{"LLMFP, GPT-4o": "0.828", "LLMFP, Claude 3.5 Sonnet": "0.856", "direct, o1-preview": "0.467"} {
		if got := fmt.Sprintf("%.3f", means[row]); got != want {
			t.Errorf("%s: the mean is %s, not %s", row, got, want)
		}
	}
}

func TestQuestionsHaveAnswerFormats(t *testing.T) {
	names, err := experiments.Files()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range names {
		if !strings.HasPrefix(name, "questions/") {
			continue
		}
		text, err := experiments.File(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var q lab.Question
			if err := json.Unmarshal([]byte(line), &q); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			count++
			inputs := map[string]bool{}
			for _, s := range q.Steps {
				if s.Thought == "" || s.Tool == "" || s.Input == "" || s.Result == "" || inputs[s.Input] {
					t.Errorf("%s: %q: %+v", name, q.Question, s)
				}
				inputs[s.Input] = true
			}
			if q.Group == "" || q.Answer == "" || q.Final == "" || len(q.Steps) == 0 || !monitor.SameAnswer(q.Answer, q.Answer) {
				t.Errorf("%s: %+v", name, q)
			}
		}
	}
	if count != 36 {
		t.Errorf("%d questions", count)
	}
}

// The first version's agents differ only in their states: in each group both have the same prompt,
// examples and tools. They correct by forcing a prompt, as that version does.
func TestFirstVersionsAgentsHaveTheSameTools(t *testing.T) {
	w, err := experiments.Workspace("crouse-2023-1")
	if err != nil {
		t.Fatal(err)
	}
	x, _ := lab.Parse(w.Files[0].Source())
	cells, _, err := x.Cells(w.Files, lab.Settings{Models: []lab.NamedModel{{Name: "first", Spec: llm.Spec{Kind: llm.KindFirst}}}})
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]string{}
	for _, c := range cells {
		var own strings.Builder
		slices.SortFunc(c.Files, func(a, b workspace.File) int { // the agent first
			return strings.Compare(strings.TrimPrefix(a.Name, c.Name), strings.TrimPrefix(b.Name, c.Name))
		})
		for _, f := range c.Files {
			if f.Name == c.Name {
				prompt, _, _ := strings.Cut(f.Text[strings.Index(f.Text, "(:prompt"):], "(:states")
				own.WriteString(prompt)
			} else if !strings.HasSuffix(f.Name, ".agent") {
				own.WriteString(f.Name + "\n" + f.Text)
			}
		}
		key := fmt.Sprintf("%s, %s", c.Outcome.Group, strings.TrimPrefix(strings.Replace(c.Outcome.Method, " ablated", "", 1), "ReAct, "))
		if other, there := given[key]; there && other != own.String() {
			t.Fatalf("%s: the prompts of the agents differ: %s\n%s\n%s", key, c.Outcome.Key, other, own.String())
		}
		given[key] = own.String()
		if !strings.Contains(string(c.Settings), `"forced":true`) {
			t.Errorf("%s does not force prompts: %s", c.Outcome.Key, c.Settings)
		}
		if calculates := strings.Contains(own.String(), "calculator"); calculates != (c.Outcome.Group == "GSM8K") {
			t.Errorf("%s has a calculator: %v", c.Outcome.Key, calculates)
		}
	}
	if len(given) != 12 {
		t.Errorf("%d groups", len(given))
	}
}

// Direct and CoT have an example of each data set of table 1.
func TestDirectAnswersHaveAnExampleOfTheirDataSet(t *testing.T) {
	w, err := experiments.Workspace("crouse-2024-1")
	if err != nil {
		t.Fatal(err)
	}
	x, _ := lab.Parse(w.Files[0].Source())
	cells, _, err := x.Cells(w.Files, lab.Settings{Models: []lab.NamedModel{{Name: "first", Spec: llm.Spec{Kind: llm.KindFirst}}}, Tasks: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"Direct, HotpotQA": "direct-lighthouse", "Direct, GSM8K": "eggs", "Direct, TriviaQA": "direct-trumpet",
		"CoT, HotpotQA": "cot-lake", "CoT, GSM8K": "ribbon", "CoT, TriviaQA": "cot-museum",
	}
	seen := 0
	for _, c := range cells {
		first, _, _ := strings.Cut(c.Outcome.Method, " → ")
		example, ok := want[first+", "+c.Outcome.Group]
		if !ok {
			continue
		}
		seen++
		f, _ := (workspace.Workspace{Files: c.Files}).File(c.Name)
		if !strings.Contains(f.Text, "examples/"+example+".txt") {
			t.Errorf("%s does not have %s:\n%s", c.Outcome.Key, example, f.Text)
		}
	}
	if seen != 24 {
		t.Errorf("%d cells", seen)
	}
}
