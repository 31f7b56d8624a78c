package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
)

// reporter collects the runs of a check and writes a report.
type reporter interface {
	// add adds a run with its findings, without those that the baseline accepts.
	add(r backtest.Run, found []finding)
	write(w io.Writer, s summary) error
}

// summary is the result of a check.
type summary struct {
	matrix   *backtest.Matrix
	failing  int // runs with findings
	accepted int // findings in the baseline
}

// reporters maps each form of report to its constructor.
var reporters = map[string]func(s *backtest.Specs) reporter{
	"text":     func(*backtest.Specs) reporter { return &textReport{} },
	"markdown": func(*backtest.Specs) reporter { return &markdownReport{} },
	"json":     func(s *backtest.Specs) reporter { return &jsonReport{} },
	"sarif":    func(s *backtest.Specs) reporter { return &sarifReport{rules: s.Rules()} },
	"junit":    func(s *backtest.Specs) reporter { return &junitReport{rules: s.Rules()} },
}

func forms() (out []string) {
	for name := range reporters {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// maxListed bounds the findings that a report for people lists. The counts are exact.
const maxListed = 200

// listed is the list of the first findings of a check, for reports that people read. Equal findings of
// several rules on a run, as for an unread trace, are listed once.
type listed struct {
	findings []finding
	more     int
}

func (l *listed) add(_ backtest.Run, found []finding) {
	for i, f := range found {
		switch {
		case i > 0 && f.Outcome == found[i-1].Outcome && f.Reason == found[i-1].Reason && f.Line == found[i-1].Line:
			if l.more == 0 {
				l.findings[len(l.findings)-1].alike++
			}
		case len(l.findings) < maxListed:
			l.findings = append(l.findings, f)
		default:
			l.more++
		}
	}
}

func (l *listed) set(to listed) { *l = to }

// place returns the position of a finding, "file:line"; only the file if the line is unknown.
func (f finding) place() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", f.trace, f.Line)
	}
	return f.trace
}

// rules returns the name of the finding's rule, and the number of further rules with an equal finding.
func (f finding) rules() string {
	switch f.alike {
	case 0:
		return f.rule.Name
	case 1:
		return f.rule.Name + " and 1 more rule"
	}
	return fmt.Sprintf("%s and %d more rules", f.rule.Name, f.alike)
}

func (f finding) message() string {
	m := fmt.Sprintf("run %d: %s: %s", f.number, f.rules(), f.Outcome)
	if f.Reason != "" {
		m += ": " + f.why()
	}
	return m
}

// why returns the reason of a finding with its evidence.
func (f finding) why() string {
	if evidence := f.Evidence(); evidence != "" {
		return oneLine(f.Reason) + "; " + evidence
	}
	return oneLine(f.Reason)
}

// oneLine joins the lines of a reason, such as the parts of a formula.
func oneLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "; ")
}

// textReport is for terminals: a line for each finding, as compilers write them, then the
// matrix.
type textReport struct{ listed }

func (t *textReport) write(w io.Writer, s summary) error {
	var b strings.Builder
	for _, f := range t.findings {
		fmt.Fprintf(&b, "%s: %s\n", f.place(), f.message())
	}
	if t.more > 0 {
		fmt.Fprintf(&b, "… and %d more findings; the forms json and sarif list all\n", t.more)
	}
	if len(t.findings) > 0 {
		b.WriteString("\n")
	}
	table(&b, s.matrix)
	b.WriteString("\n" + verdictLine(s) + "\n")
	for _, note := range notes(s.matrix) {
		b.WriteString(note + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes the counts of the rules in columns.
func table(b *strings.Builder, m *backtest.Matrix) {
	rows := [][]string{{"rule"}}
	for _, o := range backtest.Outcomes() {
		rows[0] = append(rows[0], string(o))
	}
	for _, r := range m.Rules {
		row := []string{r.Rule.Name}
		for _, o := range backtest.Outcomes() {
			row = append(row, fmt.Sprint(backtest.Of(r.Outcomes, o)))
		}
		rows = append(rows, row)
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-len([]rune(cell)))
			switch i {
			case 0:
				b.WriteString(cell + pad)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		b.WriteString("\n")
	}
}

// verdictLine returns the result of a check in one sentence.
func verdictLine(s summary) string {
	line := fmt.Sprintf("%d of %d runs pass all rules", s.matrix.Total()-s.failing, s.matrix.Total())
	if s.accepted > 0 {
		line += fmt.Sprintf("; the baseline accepts %d findings", s.accepted)
	}
	return line
}

// notes returns remarks on the matrix: violations by tool and by agent, rules that were never triggered, and
// tools that no rule names.
func notes(m *backtest.Matrix) (out []string) {
	for _, r := range m.Rules {
		if r.Idle() {
			out = append(out, fmt.Sprintf("note: no run triggers %s", r.Rule.Name))
		}
		var by []string
		for _, counts := range []struct {
			of   string
			list []backtest.Counted
		}{{"tool", r.Tools}, {"agent", r.Agents}} {
			if text := namedCounts(counts.list); text != "" {
				by = append(by, "by "+counts.of+" "+text)
			}
		}
		if len(by) > 0 {
			out = append(out, fmt.Sprintf("note: violations of %s %s", r.Rule.Name, strings.Join(by, "; ")))
		}
	}
	for _, t := range m.Tools {
		if !t.Named {
			out = append(out, fmt.Sprintf("note: no rule names the tool %q (%d calls in %d runs)", t.Name, t.Calls, t.Runs))
		}
	}
	return out
}

// maxCounted bounds the names that a remark lists.
const maxCounted = 10

// namedCounts lists counts, "refund 3, delete 1", or returns "" without names.
func namedCounts(list []backtest.Counted) string {
	if !slices.ContainsFunc(list, func(c backtest.Counted) bool { return c.Name != "" }) {
		return ""
	}
	var out []string
	for i, c := range list {
		if i == maxCounted {
			out = append(out, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		name := c.Name
		if name == "" {
			name = "(none)"
		}
		out = append(out, fmt.Sprintf("%s %d", name, c.Number))
	}
	return strings.Join(out, ", ")
}

// markdownReport is for comments on changes and for summaries of jobs.
type markdownReport struct{ listed }

func (t *markdownReport) write(w io.Writer, s summary) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Stile: %s\n\n| rule |", verdictLine(s))
	for _, o := range backtest.Outcomes() {
		fmt.Fprintf(&b, " %s |", o)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(backtest.Outcomes())) + "\n")
	for _, r := range s.matrix.Rules {
		fmt.Fprintf(&b, "| %s |", cellText(r.Rule.Name))
		for _, o := range backtest.Outcomes() {
			fmt.Fprintf(&b, " %d |", backtest.Of(r.Outcomes, o))
		}
		b.WriteString("\n")
	}
	if len(t.findings) > 0 {
		b.WriteString("\n| place | run | rule | outcome | reason |\n|---|---:|---|---|---|\n")
		for _, f := range t.findings {
			fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", cellText(f.place()), f.number, cellText(f.rules()), f.Outcome, cellText(f.why()))
		}
	}
	if t.more > 0 {
		fmt.Fprintf(&b, "\n%d more findings are not listed.\n", t.more)
	}
	if remarks := notes(s.matrix); len(remarks) > 0 {
		b.WriteString("\n")
		for _, note := range remarks {
			b.WriteString("* " + escapeText(strings.TrimPrefix(note, "note: ")) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cellText returns a text for a cell of a table in Markdown.
func cellText(text string) string {
	return strings.ReplaceAll(escapeText(strings.Join(strings.Fields(text), " ")), "|", `\|`)
}

// escapeText returns a text whose characters Markdown and HTML do not interpret.
func escapeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`, "@", "&#64;").Replace(text)
}

// jsonReport has all findings and the matrix.
type jsonReport struct{ found []jsonFinding }

type jsonFinding struct {
	Trace string `json:"trace"`
	Run   int    `json:"run"`
	Rule  string `json:"rule"`
	backtest.Cell
}

func (j *jsonReport) add(_ backtest.Run, found []finding) {
	for _, f := range found {
		j.found = append(j.found, jsonFinding{Trace: f.trace, Run: f.number, Rule: f.rule.Name, Cell: f.Cell})
	}
}

func (j *jsonReport) write(w io.Writer, s summary) error {
	if j.found == nil {
		j.found = []jsonFinding{}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Version  string           `json:"version"`
		Runs     int              `json:"runs"`
		Failing  int              `json:"failing"`
		Accepted int              `json:"accepted"`
		Matrix   *backtest.Matrix `json:"matrix"`
		Findings []jsonFinding    `json:"findings"`
	}{Version(), s.matrix.Total(), s.failing, s.accepted, s.matrix, j.found})
}
