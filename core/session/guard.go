package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/guard"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

func guardMethods() []Method {
	return []Method{
		method("guard.open", (*Session).guardOpen),
		method("guard.enter", (*Session).guardEnter),
		method("guard.retract", (*Session).guardRetract),
		method("guard.end", (*Session).guardEnd),
		method("guard.check", (*Session).guardCheck),
	}
}

// GuardParams are a specification, properties in .ltl notation over its states, and a run
// as the last reply returned it; guard.open has no run.
type GuardParams struct {
	Source     string       `json:"source"`
	Properties string       `json:"properties,omitempty"`
	Run        *guard.Saved `json:"run,omitempty"`
}

// GuardEnterParams are [GuardParams] with the next state and its content. A state without
// content is rejected.
type GuardEnterParams struct {
	Source     string       `json:"source"`
	Properties string       `json:"properties,omitempty"`
	Run        *guard.Saved `json:"run,omitempty"`
	State      string       `json:"state"`
	Content    *string      `json:"content"`
}

// GuardResult is the run after a call. Violation is null if the call was accepted. Next
// are the valid next states; Done reports that the run may end here.
type GuardResult struct {
	Run       guard.Saved      `json:"run"`
	Next      []string         `json:"next"`
	Done      bool             `json:"done"`
	Violation *guard.Violation `json:"violation"`
}

// GuardCheckResult is the overall verdict of monitor.check on a recorded run. Only the verdict
// "valid" has no violation.
type GuardCheckResult struct {
	Verdict   agent.Verdict    `json:"verdict"`
	Violation *guard.Violation `json:"violation"`
}

// maxGuardSpecs bounds the compiled specifications that a session keeps.
const maxGuardSpecs = 32

// guardSpec returns the compiled specification, from the cache if possible.
func (s *Session) guardSpec(text, properties string) (*guard.Spec, error) {
	key := [2]string{text, properties}
	if spec, ok := s.guards[key].(*guard.Spec); ok {
		return spec, nil
	}
	spec, err := guard.Open(text, properties)
	if err != nil {
		return nil, err
	}
	if s.guards == nil || len(s.guards) >= maxGuardSpecs {
		s.guards = map[[2]string]any{}
	}
	s.guards[key] = spec
	return spec, nil
}

func (s *Session) guardRun(p GuardParams) (*guard.Run, error) {
	spec, err := s.guardSpec(p.Source, p.Properties)
	if err != nil {
		return nil, err
	}
	if p.Run == nil {
		return nil, source.NewError("guard.run", "missing run; pass the one that guard.open returned")
	}
	return spec.Resume(*p.Run)
}

// guardResult returns a run after a call in the form of the protocol.
func guardResult(run *guard.Run, err error) (GuardResult, error) {
	out := GuardResult{Run: run.Save()}
	out.Next, out.Done = run.Next()
	if err != nil && !errors.As(err, &out.Violation) {
		return out, err
	}
	return out, nil
}

func (s *Session) guardOpen(p GuardParams) (GuardResult, error) {
	spec, err := s.guardSpec(p.Source, p.Properties)
	if err != nil {
		return GuardResult{}, err
	}
	if p.Run != nil {
		run, err := spec.Resume(*p.Run)
		if err != nil {
			return GuardResult{}, err
		}
		return guardResult(run, nil)
	}
	return guardResult(spec.Begin(), nil)
}

func (s *Session) guardEnter(p GuardEnterParams) (GuardResult, error) {
	run, err := s.guardRun(GuardParams{p.Source, p.Properties, p.Run})
	if err != nil {
		return GuardResult{}, err
	}
	if p.Content == nil {
		return guardResult(run, run.EnterUnknown(p.State))
	}
	return guardResult(run, run.Enter(p.State, *p.Content))
}

func (s *Session) guardRetract(p GuardParams) (GuardResult, error) {
	run, err := s.guardRun(p)
	if err != nil {
		return GuardResult{}, err
	}
	if !run.Retract() {
		return GuardResult{}, source.NewError("guard.retract", "no state to retract: none was refused")
	}
	return guardResult(run, nil)
}

func (s *Session) guardEnd(p GuardParams) (GuardResult, error) {
	run, err := s.guardRun(p)
	if err != nil {
		return GuardResult{}, err
	}
	return guardResult(run, run.End())
}

// guardCheck is monitor.check with a pass or a violation as its result.
func (s *Session) guardCheck(p MonitorCheckParams) (GuardCheckResult, error) {
	if _, err := s.guardSpec(p.Source, p.Properties); err != nil {
		return GuardCheckResult{}, err
	}
	found, err := s.monitorCheck(p)
	if err != nil {
		return GuardCheckResult{}, err
	}
	out := GuardCheckResult{Verdict: found.Verdict}
	if v := found.Violation; v != nil {
		out.Violation = &guard.Violation{Index: v.Index, State: v.State, Reason: v.Reason, Content: v.Content, Allowed: v.Allowed}
		if v.Content {
			out.Violation.Allowed, out.Violation.Contents = []string{v.State}, v.Allowed
		}
		return out, nil
	}
	end := &guard.Violation{Index: len(found.Segments), Allowed: found.Next}
	for _, f := range found.Properties {
		if f.Fault != "" || !f.Holds {
			end.Property = f.Name
			end.Reason = fmt.Sprintf("the property %q does not hold", f.Name)
			if f.Fault != "" {
				end.Reason = fmt.Sprintf("the property %q cannot be judged: %s", f.Name, f.Fault)
			}
			out.Violation = end
			return out, nil
		}
	}
	if found.Verdict == agent.VerdictValid {
		return out, nil
	}
	if len(found.Unread) > 0 {
		end.Reason = fmt.Sprintf("unread: line %d: %s", found.Unread[0].Line, found.Unread[0].Reason)
	} else {
		end.Reason = fmt.Sprintf("the run is %s; expected %s", found.Verdict, strings.Join(found.Next, " or "))
	}
	out.Violation = end
	return out, nil
}

// CheckRun returns nil for a recorded run that is valid: it is complete, and satisfies
// the specification and every property. The error is a [*guard.Violation], or the reason
// why the run could not be judged.
func CheckRun(p MonitorCheckParams) error {
	found, err := New().guardCheck(p)
	if err != nil {
		return err
	}
	if found.Violation != nil {
		return found.Violation
	}
	return nil
}

// exportGuard writes a guard of an agent with the properties of its workspace.
func exportGuard(t notation.Table, p SpecExportParams) (SpecExportResult, error) {
	if t.Of(p.Name).Kind != workspace.KindAgent {
		return SpecExportResult{}, source.NewError("export.format", p.Name+" is not an agent; guards require an agent")
	}
	a, err := language.SoundAgent(source.NewFile(p.Name, p.Text))
	if err != nil {
		return SpecExportResult{}, err
	}
	properties, err := guardProperties(t, a, p)
	if err != nil {
		return SpecExportResult{}, err
	}
	if _, err := guard.Open(p.Text, properties); err != nil {
		return SpecExportResult{}, err
	}
	write, ok := map[string]func(agent, spec, properties string) string{
		"guard-go": export.GuardGo, "guard-typescript": export.GuardTypeScript, "guard-python": export.GuardPython,
	}[p.Format]
	if !ok {
		return SpecExportResult{}, source.NewError("export.format", "unknown target "+p.Format+" (expected guard-go, guard-typescript or guard-python)")
	}
	return SpecExportResult{Text: write(a.Name, p.Text, properties)}, nil
}

// guardProperties returns the workspace's formulas about an agent. Formulas about another
// spec are listed in comments. A formula that no spec can judge is an error, because a
// guard without it would enforce less than the workspace requires.
func guardProperties(t notation.Table, a *agent.Agent, p SpecExportParams) (string, error) {
	files := p.Files
	if !slices.ContainsFunc(files, func(f File) bool { return f.Name == p.Name }) {
		files = append(slices.Clone(files), File{Name: p.Name, Text: p.Text})
	}
	if err := language.CheckProperties(t, files, nil); err != nil {
		return "", err
	}
	own := notation.Subject{}
	for _, s := range a.States {
		own.Letters = append(own.Letters, s.Name)
	}
	var b strings.Builder
	judged := false
	for _, f := range t.Properties(files) { // their errors were reported before
		for _, n := range f.Formulas {
			part := own.Part(n.Formula)
			if !own.Has(n.Formula) {
				fmt.Fprintf(&b, "# about another spec, not enforced here: %s\n\n", n.Formula)
			}
			if part == nil {
				continue
			}
			judged = true
			if n.Name != "" {
				b.WriteString(n.Name + ": ")
			}
			b.WriteString(part.String() + "\n\n")
		}
	}
	if !judged { // comments alone do not parse as a list of formulas
		return "", nil
	}
	return strings.TrimRight(b.String(), "\n"), nil
}
