package formulate

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

// alone answers the query without the stages: a baseline.
func (r *run) alone() (*Result, error) {
	r.round = 1
	if r.settings.Method == MethodCode {
		return r.code()
	}
	template, usual := r.settings.Templates.Direct, DefaultDirect
	if r.settings.Method == MethodCoT {
		template, usual = r.settings.Templates.CoT, DefaultCoT
	}
	values := r.values("")
	values["output"] = strings.TrimSpace(r.p.Output)
	r.solved = solved{status: StatusUnchecked, message: "the model's own answer, without a solver"}
	if r.settings.Wording != "" {
		usual += noPlan
	}
	talk, err := r.converse(StageFormatter, fill(template, usual, values))
	if err != nil {
		return nil, err
	}
	faults, err := talk.answer(func(text string) []string {
		n, faults := lastObject(text)
		if n == nil {
			return faults
		}
		if r.settings.Wording != "" && statesNoPlan(n) {
			r.denied = true
			return nil
		}
		r.formatted.answer = json.RawMessage(n.Text)
		if form, fault := json.Tree(r.p.Output); fault == nil {
			return misfits(form, n, "answer")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		r.find(Finding{Mistake: MistakeForm, Stage: StageFormatter, Certain: true, Message: faults[0]})
		if r.formatted.answer == nil {
			r.solved.status, r.solved.message = StatusFailed, faults[0]
		}
	}
	if r.denied {
		r.solved.message = "the model states that no plan exists; no solver has proved it"
	}
	r.state(StageFormatter, StateDone, 1, "")
	return r.result(false), nil
}

// maxStarts bounds the number of positions at which parsing of an object is tried, because
// each attempt may read the rest of the text.
const maxStarts = 1_000

// lastObject returns the outermost JSON object that ends last in a text. The text before
// it may contain reasoning with brackets.
func lastObject(text string) (*json.Node, []string) {
	end := strings.LastIndexByte(text, '}') + 1
	at := end
	for range maxStarts {
		if at = strings.LastIndexByte(text[:at], '{'); at < 0 {
			break
		}
		if n, fault := json.Tree(text[at:end]); fault == nil {
			return n, nil // an object within it ends earlier
		}
	}
	return readObject(text)
}

// guess is the direct answer of a simulated model: the answer in the folder or, at its
// error rate, one with other numbers.
func (r *run) guess(env *process.Env, spec llm.Spec) string {
	text := strings.TrimSpace(r.p.Answer)
	if text == "" {
		if form, fault := json.Tree(r.p.Output); fault == nil {
			text, _ = (&outcome{}).filled(form)
		}
	}
	if errs(env, spec, spec.ErrorRate) {
		text = strings.Map(func(c rune) rune {
			if c >= '1' && c <= '8' {
				return c + 1
			}
			return c
		}, text)
	}
	return text
}

// code makes the model write the text for the solver directly, without the other stages,
// and solves it.
func (r *run) code() (*Result, error) {
	talk, err := r.converse(StageGenerator, fill(r.settings.Templates.Code, DefaultCode, r.values(StageGenerator)))
	if err != nil {
		return nil, err
	}
	var text string
	faults, err := talk.answer(func(said string) []string {
		text = fenced(said)
		return r.checkModel(text)
	})
	if err != nil {
		return nil, err
	}
	r.take(StageGenerator, text, "model")
	if len(faults) == 0 {
		if faults, err = r.solve(1); err != nil {
			return nil, err
		}
	}
	if len(faults) > 0 {
		r.state(StageGenerator, StateFailed, 1, faults[0])
		r.solved = solved{status: StatusFailed, message: strings.Join(faults, "; ")}
		return r.result(false), nil
	}
	r.state(StageGenerator, StateDone, 1, "")
	if form, fault := json.Tree(r.p.Output); fault == nil && r.solved.planned() {
		answer, complete := r.solved.outcome.filled(form)
		r.formatted.answer = json.RawMessage(answer)
		if !complete && !r.simulates(StageFormatter) && !r.env.Earlier() {
			// The model alone knows the meaning of its variables.
			r.env.Revise()
			return r.answered(r.format())
		}
	}
	return r.result(false), nil
}

func (r *run) answered(err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	return r.result(false), nil
}
