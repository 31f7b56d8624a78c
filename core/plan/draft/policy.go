package draft

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// The files of a draft of rules.
const (
	RulesFile    = "policy.rules"
	CoverageFile = "coverage.md"
)

// rulesBatch is the number of sentences in a request: few enough for an answer of a page.
const rulesBatch = 12

// rulesRounds is the default number of answers for each batch: one, and two that fix it.
const rulesRounds = 3

// DefaultRulesPrompt is the prompt of a draft of rules. The model reads it for each batch of sentences.
const DefaultRulesPrompt = `Write rules about the tool calls of an agent, from sentences of a policy, in the notation below.

{reference}
{tools}The sentences, each with its number and its section:

{sentences}

Answer with one fenced block whose first line is three backticks and policy.rules. Before each rule write a comment with the sentences that it implements, such as "# sentence 3" or "# sentences 3, 4". For a sentence that an earlier rule implements, write "# sentence 5: rule NAME". For a sentence without a rule write "# sentence 6: none: REASON"; facts have no rule, nor do norms that depend on the meaning of an utterance. Write a comment for every sentence. Names of rules are unique{names}.`

// Trial tries a rule and returns its problems: that no session violates it, or that it never applies.
type Trial func(env *process.Env, name, text string) (problems []string, err error)

type draftedRule struct {
	name, text string
	numbers    []int
	line       int    // in the answer
	fault      string // the first error
}

// reading is an answer about a batch of sentences.
type reading struct {
	rules   []draftedRule
	none    map[int]string   // reasons
	carried map[int][]string // names of rules of other sentences
	junk    []string         // lines that are neither rules nor comments
	faults  []string
}

// policyDraft is the state of a draft of rules.
type policyDraft struct {
	settings  Settings
	sentences []Sentence
	tools     string
	try       Trial
	model     llm.Model
	out       *Result
	names     map[string]bool
	text      strings.Builder // of the rules
	rows      map[int]string  // of the coverage
	tried     map[string][]string
}

// RunPolicy lets a model write rules from the sentences of a policy, in batches. Each sentence has its
// rules or a reason in the comments of the rules and in the table of coverage; an answer that cannot be
// read is a comment at its place and a problem. tools describes the tools that exist, and may be empty.
func RunPolicy(env *process.Env, s Settings, tools string, try Trial) (*Result, error) {
	d := &policyDraft{settings: s, sentences: Sentences(s.Description), tools: tools, try: try, names: map[string]bool{}, rows: map[int]string{}, tried: map[string][]string{}}
	if d.settings.Rounds == 0 {
		d.settings.Rounds = rulesRounds
	}
	if len(d.sentences) == 0 {
		return nil, settingsError("the policy has no sentences")
	}
	d.out = &Result{Kind: "draft.done", Files: []File{}, Problems: []string{}}
	var err error
	if d.model, err = policyModel(s); err != nil {
		return nil, err
	}
	for batch := range slices.Chunk(d.sentences, rulesBatch) {
		if err := d.batch(env, batch); err != nil {
			return nil, err
		}
	}
	d.out.Clean = len(d.out.Problems) == 0
	env.Emit(d.out)
	return d.out, nil
}

// batch asks for the rules of some sentences until the answer has no problems, or the rounds are used up.
func (d *policyDraft) batch(env *process.Env, batch []Sentence) error {
	request := llm.Request{Messages: []llm.Message{{Role: "user", Content: d.prompt(batch)}}, MaxTokens: d.settings.MaxTokens, Temperature: d.settings.Temperature}
	for round := 1; ; round++ {
		d.out.Rounds++
		reply, err := d.out.ask(env, d.model, request)
		if err != nil {
			return err
		}
		r := d.read(reply.Text, batch)
		_, cut := d.settings.cutOff(env, &request, reply)
		problems := slices.Concat(cut, r.faults)
		for _, rule := range r.rules {
			if rule.fault != "" {
				continue
			}
			more, err := d.trial(env, rule)
			if err != nil {
				return err
			}
			problems = append(problems, more...)
		}
		last := len(problems) == 0 || round >= d.settings.Rounds
		if last {
			d.keep(batch, r, problems)
		}
		env.Emit(Round{Kind: "draft.round", Round: d.out.Rounds, Files: d.files(), Problems: append([]string{}, problems...)})
		if last {
			return nil
		}
		request.Messages = append(llm.BeforeFault(env, request.Messages),
			llm.Message{Role: "assistant", Content: reply.Text},
			llm.Message{Role: "user", Content: "The block has these problems:\n\n- " + strings.Join(problems[:min(len(problems), maxProblems)], "\n- ") + "\n\nWrite the complete block for these sentences again."})
	}
}

// trial tries a rule once.
func (d *policyDraft) trial(env *process.Env, r draftedRule) ([]string, error) {
	if d.try == nil {
		return nil, nil
	}
	if problems, ok := d.tried[r.text]; ok {
		return problems, nil
	}
	problems, err := d.try(env, r.name, r.text)
	d.tried[r.text] = problems
	return problems, err
}

// read reads an answer about some sentences.
func (d *policyDraft) read(answer string, batch []Sentence) reading {
	r := reading{none: map[int]string{}, carried: map[int][]string{}}
	files, _ := readFiles(answer, []string{LanguageRules})
	if len(files) == 0 {
		r.faults = append(r.faults, "the answer has no fenced block "+RulesFile)
	}
	for _, f := range files {
		r.block(f.Text, batch)
	}
	own := map[string]bool{}
	for i := range r.rules {
		rule := &r.rules[i]
		file := source.NewFile(RulesFile, rule.text)
		for _, f := range rules.Parse(file).Diagnostics {
			if f.Severity == source.SeverityError && rule.fault == "" {
				rule.fault = f.Message
			}
		}
		switch {
		case rule.fault != "":
		case own[rule.name] || d.names[rule.name]:
			rule.fault = "the name is used by another rule"
		case len(rule.numbers) == 0:
			rule.fault = "missing comment with the numbers of its sentences"
		default:
			own[rule.name] = true
		}
		if rule.fault != "" {
			r.faults = append(r.faults, place(rule.line)+"the rule "+strconv.Quote(rule.name)+": "+rule.fault)
		}
	}
	for n, names := range r.carried {
		for _, name := range names {
			if !own[name] && !d.names[name] {
				r.faults = append(r.faults, "sentence "+strconv.Itoa(n)+": unknown rule "+strconv.Quote(name))
				delete(r.carried, n)
			}
		}
	}
	for _, s := range batch {
		if !r.covers(s.Number) {
			r.faults = append(r.faults, "sentence "+strconv.Itoa(s.Number)+" has no comment")
		}
	}
	slices.Sort(r.faults)
	return r
}

func place(line int) string { return RulesFile + ", line " + strconv.Itoa(line) + ": " }

// covers reports whether a sentence has a rule, readable or not, or a reason.
func (r *reading) covers(n int) bool {
	return r.none[n] != "" || len(r.carried[n]) > 0 || slices.ContainsFunc(r.rules, func(rule draftedRule) bool { return slices.Contains(rule.numbers, n) })
}

// block reads the lines of an answer.
func (r *reading) block(text string, batch []Sentence) {
	var numbers []int
	fresh, open := false, false // comments follow one another, a rule can continue
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch name, _, colon := strings.Cut(line, ":"); {
		case trimmed == "":
			open = false
		case strings.HasPrefix(trimmed, "#"):
			cited, note, ok := citation(trimmed)
			if !ok {
				continue
			}
			for _, n := range cited {
				if n < batch[0].Number || n > batch[len(batch)-1].Number {
					r.faults = append(r.faults, place(i+1)+"sentence "+strconv.Itoa(n)+" is not one of the listed sentences")
				}
			}
			if r.reason(cited, note) {
				continue
			}
			if !fresh {
				numbers = nil
			}
			numbers, fresh, open = append(slices.Clone(numbers), cited...), true, false
		case open && (line[0] == ' ' || line[0] == '\t'):
			rule := &r.rules[len(r.rules)-1]
			rule.text += strings.TrimRight(line, " \t") + "\n"
		case colon && line[0] != ' ' && line[0] != '\t' && rules.Plain(strings.TrimSpace(name)):
			r.rules = append(r.rules, draftedRule{name: strings.TrimSpace(name), text: strings.TrimRight(line, " \t") + "\n", numbers: numbers, line: i + 1})
			fresh, open = false, true
		default:
			r.junk = append(r.junk, trimmed)
			r.faults = append(r.faults, place(i+1)+"neither a rule nor a comment: "+strconv.Quote(trimmed))
		}
	}
}

// reason adds a comment about sentences without rules of their own, and reports whether it is one.
func (r *reading) reason(cited []int, note string) bool {
	if rest, ok := strings.CutPrefix(note, "none"); ok {
		why := strings.TrimSpace(strings.TrimLeft(rest, ":, "))
		for _, n := range cited {
			r.none[n] = cmp.Or(why, "no reason is stated")
		}
		return true
	}
	if rest, ok := strings.CutPrefix(note, "rule "); ok {
		for _, n := range cited {
			r.carried[n] = append(r.carried[n], strings.FieldsFunc(rest, func(c rune) bool { return c == ',' || c == ' ' })...)
		}
		return true
	}
	return false
}

// citation reads a comment "# sentence 3: note" or "# sentences 3, 4".
func citation(comment string) (numbers []int, note string, ok bool) {
	text := strings.TrimSpace(strings.TrimLeft(comment, "# "))
	rest, ok := strings.CutPrefix(strings.ToLower(text), "sentence")
	if !ok {
		return nil, "", false
	}
	head, _, _ := strings.Cut(rest, ":")
	note = strings.TrimSpace(strings.TrimPrefix(text[len("sentence")+len(head):], ":"))
	for _, word := range strings.FieldsFunc(strings.TrimPrefix(head, "s"), func(c rune) bool { return c == ',' || c == ' ' }) {
		if n, err := strconv.Atoi(word); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers, note, len(numbers) > 0
}

// keep adds an answer to the files. A part that cannot be read becomes a comment.
func (d *policyDraft) keep(batch []Sentence, r reading, problems []string) {
	d.out.Problems = append(d.out.Problems, problems...)
	of := map[int][]string{}
	for _, rule := range r.rules {
		for _, n := range rule.numbers {
			if i := n - batch[0].Number; i >= 0 && i < len(batch) {
				d.text.WriteString("# sentence " + strconv.Itoa(n) + ": " + batch[i].Text + "\n")
			}
		}
		if rule.fault != "" {
			d.text.WriteString("# not read: " + oneLine(rule.fault) + "\n# " + strings.ReplaceAll(strings.TrimSpace(rule.text), "\n", "\n# ") + "\n\n")
			continue
		}
		d.names[rule.name] = true
		for _, n := range rule.numbers {
			of[n] = append(of[n], rule.name)
		}
		d.text.WriteString(rule.text + "\n")
	}
	for _, line := range r.junk {
		d.text.WriteString("# not read: " + oneLine(line) + "\n\n")
	}
	for _, s := range batch {
		names := append(of[s.Number], r.carried[s.Number]...)
		row := ""
		switch {
		case len(names) > 0:
			row = "`" + strings.Join(names, "`, `") + "`"
		case r.none[s.Number] != "":
			row = "none: " + oneLine(r.none[s.Number])
		default:
			row = "**not read**"
		}
		if len(of[s.Number]) == 0 {
			d.text.WriteString("# sentence " + strconv.Itoa(s.Number) + ": " + strings.NewReplacer("`", "", "*", "").Replace(row) + "\n\n")
		}
		d.rows[s.Number] = row
	}
}

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// files returns the files so far.
func (d *policyDraft) files() []File {
	var table strings.Builder
	ruled, none, unread := 0, 0, 0
	for _, s := range d.sentences {
		row, ok := d.rows[s.Number]
		switch {
		case !ok:
			row = "not processed yet"
		case strings.HasPrefix(row, "none"):
			none++
		case strings.HasPrefix(row, "**"):
			unread++
		default:
			ruled++
		}
		table.WriteString("| " + strconv.Itoa(s.Number) + " | " + strconv.Itoa(s.Line) + " | " + strings.ReplaceAll(s.Text, "|", `\|`) + " | " + strings.ReplaceAll(row, "|", `\|`) + " |\n")
	}
	head := "# Sentences and rules\n\n" + strconv.Itoa(ruled) + " of " + strconv.Itoa(len(d.sentences)) + " sentences have rules, " + strconv.Itoa(none) + " have none, " +
		strconv.Itoa(unread) + " were not read.\n\n| sentence | line | text | rules |\n|---:|---:|---|---|\n"
	d.out.Files = []File{
		{Name: RulesFile, Text: rules.Format(source.NewFile(RulesFile, d.text.String()))},
		{Name: CoverageFile, Text: head + table.String()},
	}
	return slices.Clone(d.out.Files)
}

// prompt returns the request for a batch of sentences.
func (d *policyDraft) prompt(batch []Sentence) string {
	var list strings.Builder
	for _, s := range batch {
		list.WriteString("[" + strconv.Itoa(s.Number) + "] ")
		if s.Section != "" {
			list.WriteString("(" + s.Section + ") ")
		}
		list.WriteString(s.Text + "\n")
	}
	tools := ""
	if d.tools != "" {
		tools = "The tools and their arguments:\n\n" + d.tools + "\n"
	}
	names := ""
	if len(d.names) > 0 {
		used := make([]string, 0, len(d.names))
		for name := range d.names {
			used = append(used, name)
		}
		slices.Sort(used)
		names = "; already used: " + strings.Join(used, ", ")
	}
	return strings.NewReplacer("{reference}", references()[LanguageRules], "{tools}", tools, "{sentences}", strings.TrimSpace(list.String()), "{names}", names).Replace(DefaultRulesPrompt)
}

// policyModel returns the model. A simulated one writes a rule for each sentence that states a norm, with
// mistakes at its error rate.
func policyModel(s Settings) (llm.Model, error) {
	switch s.Model.Kind {
	case llm.KindUniform, llm.KindFirst, llm.KindRambler:
		return llm.Simulate(func(env *process.Env, r llm.Request) (string, error) {
			mistake := s.Model.Kind == llm.KindRambler && env.Rand().Float64() < s.Model.ErrorRate
			return simulatedRules(r.Messages[0].Content, mistake), nil
		}), s.Model.Check()
	}
	return llm.New(s.Model)
}

// normWords are the words by which a simulated model recognizes a norm.
var normWords = []string{"must", "should", "cannot", "can only", "do not", "need", "has to"}

func simulatedRules(prompt string, mistake bool) string {
	var b strings.Builder
	b.WriteString("```" + RulesFile + "\n")
	for _, line := range strings.Split(prompt, "\n") {
		number, text, ok := strings.Cut(strings.TrimPrefix(line, "["), "] ")
		if _, err := strconv.Atoi(number); !ok || err != nil || line[0] != '[' {
			continue
		}
		lower := strings.ToLower(text)
		switch {
		case !slices.ContainsFunc(normWords, func(w string) bool { return strings.Contains(lower, w) }):
			b.WriteString("# sentence " + number + ": none: a fact\n\n")
		case mistake:
			b.WriteString("# sentence " + number + "\nsentence-" + number + ": *( -> once message.user()\n\n")
		default:
			b.WriteString("# sentence " + number + "\nsentence-" + number + ": *() -> once message.user()\n\n")
		}
	}
	return b.String() + "```\n"
}

// rulesReference is the manual of rules in a prompt.
const rulesReference = "### Rules (.rules)\n\n" +
	"A rule restricts events: calls of tools, their results and errors, messages, and the end of a run. It holds if its formula is true at every event. Each call is judged before it is made, by the events up to it.\n\n" +
	"```rules\n" +
	`# The reservation was read, and its latest known cabin is another one.
changes: update_flights(reservation_id: ?r) ->
  (!*.result(reservation_id: ?r, cabin: _)) since *.result(reservation_id: ?r, cabin: != "basic_economy")

# The last message of the user consents.
confirmed: update_flights() | cancel() -> (!message.user()) since message.user(text: ~ "(?i)\b(yes|go ahead)\b")

# The approval of this order covers the amount, and is at most a day old.
approved: refund(order: ?o, amount: ?a) -> once[1d] approve.result(input.order: ?o, limit: ?l) & ?a <= ?l

rate: refund(customer: ?c) -> count[24h] refund(customer: ?c) <= 3

production: !delete(env: "production")

refused: !(pay.result(value: ~ "insufficient balance") | pay.error(text: ~ "insufficient balance"))

closed: end() -> !((!close(file: ?f)) since open(file: ?f))
` + "```\n\n" +
	"- A rule is `NAME: FORMULA`; the name begins a line, and the lines that continue it are indented.\n" +
	"- `tool(…)` is a call, `tool.result(…)` a result with its fields and the arguments of the call under `input`, `tool.error(text: …)` an error, `*(…)` any tool, `message.user(text: …)` and `message.assistant(text: …)` messages, `end()` the end. A result that is no object has the field `value`.\n" +
	"- A pattern of a field is a variable `?x`, a literal, `_` for any value, a comparison such as `>= 5`, `~` and a regular expression (RE2), `in (1, 2)`, or `has \"x\"` for a list. Paths such as `input.order` select members of objects, not items of lists.\n" +
	"- Operators, loosest first: `->`, `|`, `&`, `since`, then `!`, `once`, `historically`, `previous`. `once[10m]` has a window of s, m, h or d. `count f`, `sum ?x for f`, `min` and `max` are numbers, and `count distinct ?x for f`.\n" +
	"- A variable that is bound on the left side of `->` is universally quantified. Any other is existentially quantified; an atom outside `!` binds it within its operand.\n"
