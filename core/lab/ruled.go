package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/enforce"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// The effect of the rules about data on the runs of a method.
const (
	rulesEnforced = "enforced" // a call that violates a rule is not made
	rulesObserved = "observed" // all calls are made, and the violations counted
)

var ruleModes = []string{rulesEnforced, rulesObserved}

// The measures of the rules about data.
const (
	measureKept     = "rules-kept"
	measureViolated = "rules-violated"
	measureDenied   = "rules-denied"
	// ofRule begins the measure of one rule: the events that violate it, and the calls that it denied.
	ofRule = "rule:"
)

// ruleMeasures are the measures of methods whose runs call tools.
var ruleMeasures = []string{measureKept, measureViolated, measureDenied}

// ruledKinds are the kinds of methods whose runs are judged by rules about data.
var ruledKinds = []string{MethodPlan, MethodMonitor, MethodTeam}

// measuresRules reports whether a column shows a measure of the rules.
func (x *Experiment) measuresRules() bool {
	return slices.ContainsFunc(x.Columns, func(c Column) bool {
		return slices.Contains(ruleMeasures, c.Measure) || strings.HasPrefix(c.Measure, ofRule)
	})
}

// ruled returns the settings of a run with the rules of its files, in the mode of the method, and
// whether rules judge the run. Without a mode, the rules are observed if a column shows a measure of
// them.
func (x *Experiment) ruled(settings any, m Method, files []workspace.File) (any, bool, error) {
	mode := m.Rules
	if mode == "" && x.measuresRules() {
		mode = rulesObserved
	}
	if mode == "" || !slices.Contains(ruledKinds, m.Kind) {
		return settings, false, nil
	}
	text, err := rulesOf(files)
	if err != nil {
		return nil, false, err
	}
	if text == "" {
		if m.Rules == "" {
			return settings, false, nil
		}
		return nil, false, source.NewError("lab.rules", fmt.Sprintf("the method %q has (:rules %s), but no .rules file is next to its spec", m.Name, m.Rules))
	}
	observed := mode == rulesObserved
	switch s := settings.(type) {
	case plan.Settings:
		if s.Execute { // a plan that is not executed has no calls
			s.Rules, s.RulesObserved = text, observed
		}
		return s, s.Execute, nil
	case monitor.Settings:
		s.Rules, s.RulesObserved = text, observed
		return s, true, nil
	case team.Settings:
		s.Rules, s.RulesObserved = text, observed
		return s, true, nil
	}
	return settings, false, nil
}

// rulesOf returns the text of the files of rules. Its error names a rule that cannot be judged.
func rulesOf(files []workspace.File) (string, error) {
	var texts []string
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".rules") {
			continue
		}
		file := f.Source()
		for _, d := range rules.Parse(file).Diagnostics {
			if d.Severity == source.SeverityError {
				return "", source.NewError("lab.rules", fmt.Sprintf("%s, line %d: %s", f.Name, file.Locate(d.Span.Start).Line, d.Message))
			}
		}
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, "\n"), nil
}

// checkRules reports columns of unknown rules.
func (x *Experiment) checkRules(files []workspace.File) (found []source.Diagnostic) {
	names := []string{}
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".rules") {
			for _, r := range rules.Parse(f.Source()).Rules {
				names = append(names, r.Name)
			}
		}
	}
	for _, c := range x.Columns {
		if rule, ok := strings.CutPrefix(c.Measure, ofRule); ok && !slices.Contains(names, rule) {
			found = append(found, source.Diagnostic{Code: "lab.rules", Severity: source.SeverityWarning, Span: c.span, Message: fmt.Sprintf("unknown rule %q: no .rules file of the workspace has it", rule)})
		}
	}
	return found
}

// judgeRules returns the measures of the rules of a run, and the reason of the first violation. A run
// that failed or whose rules could not be judged did not keep them.
func (c Cell) judgeRules(made process.NestedResult) (list []Measure, reason string, err error) {
	if !c.ruled {
		return nil, "", nil
	}
	if made.Err != nil {
		return []Measure{yes(measureKept, false)}, "", nil
	}
	var done struct {
		Rules []enforce.Report `json:"rules"`
	}
	if err := json.Unmarshal(made.Result, &done); err != nil {
		return nil, "", err
	}
	kept, violated, denied := len(done.Rules) > 0, 0, 0
	if !kept {
		reason = "the run has no verdicts of the rules"
	}
	var each []Measure
	for _, r := range done.Rules {
		if v := rules.Verdict(r.Verdict); v != rules.Holds && v != rules.Untriggered {
			if kept = false; reason == "" {
				reason = r.Reason
			}
			if v != rules.Violated { // a rule that was not judged has no number of violations
				continue
			}
		}
		violated, denied = violated+r.Violations, denied+r.Denied
		each = append(each, number(ofRule+r.Name, float64(r.Violations+r.Denied)))
	}
	list = []Measure{yes(measureKept, kept), number(measureViolated, float64(violated)), number(measureDenied, float64(denied))}
	return append(list, each...), reason, nil
}
