package formulate

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

func sourceOf(text string) *source.File { return source.NewFile(FileAPI, text) }

// assess makes the model judge every stage. Certain findings of the checks override the
// model's judgement of a stage.
func (r *run) assess() ([]Rating, error) {
	values := r.values(StageAssessor)
	values["model"] = strings.TrimSpace(r.model)
	values["solution"] = r.solved.String()
	if r.steps() {
		values["goal"] = "(none: the actions define the problem)"
	}
	var reported []string
	for _, f := range r.openFindings() {
		perhaps := ""
		if !f.Certain {
			perhaps = "perhaps: "
		}
		reported = append(reported, fmt.Sprintf("step %d: %s%s", stageNumber(f.Stage), perhaps, f.Message))
	}
	values["found"] = bullets("Faults found by the checks:", reported)
	talk, err := r.converse(StageAssessor, fill(r.settings.Templates.Assessor, DefaultAssessor, values))
	if err != nil {
		return nil, err
	}
	makers := r.makers()
	var ratings []Rating
	faults, err := talk.until(r.regenerations, func(text string) (faults []string) {
		ratings, faults = readRatings(text, makers)
		return faults
	})
	if err != nil {
		return nil, err
	}
	if r.unjudged = len(faults) > 0; r.unjudged {
		for i := range ratings {
			ratings[i].Right = true
			ratings[i].Reason = or(ratings[i].Reason, "unreadable self-assessment: "+faults[0])
		}
	}
	e := AssessEvent{Kind: "formulate.assess", Round: r.round, Ratings: ratings}
	for i := range ratings {
		x := &ratings[i]
		var certain []string
		for _, f := range r.openFindings() {
			if f.Certain && f.Stage == x.Stage {
				certain = append(certain, f.Message)
			}
		}
		if x.Right && len(certain) > 0 {
			*x = Rating{Stage: x.Stage, Reason: strings.Join(certain, "; "), By: "check"}
		}
		if !x.Right && e.Wrong == "" {
			e.Wrong = x.Stage
			r.state(x.Stage, StateWrong, 0, x.Reason)
		}
	}
	r.env.Emit(e)
	r.report(ratings)
	r.state(StageAssessor, StateDone, talk.attempt, "")
	return ratings, nil
}

// report writes the self-assessment as a file.
func (r *run) report(ratings []Rating) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Self-assessment, round %d\n", r.round)
	for _, x := range ratings {
		verdict := "right"
		if !x.Right {
			verdict = "wrong"
		}
		fmt.Fprintf(&b, "\n## %s: %s\n\n%s\n", x.Stage, verdict, strings.TrimSpace(x.Reason))
		if x.How != "" {
			fmt.Fprintf(&b, "\nTo mend it: %s\n", strings.TrimSpace(x.How))
		}
	}
	if len(r.found) > 0 {
		b.WriteString("\n## Faults found by the checks\n\n")
		for _, f := range r.found {
			fmt.Fprintf(&b, "- %s: %s\n", f.Stage, f.Message)
		}
	}
	r.env.Emit(ProductEvent{Kind: "formulate.product", Stage: StageAssessor, Round: r.round, Name: FileAssessment, Text: b.String(), By: "model"})
}

// replace replaces the product of the wrong stage with the one that the self-assessment
// wrote, or makes the stage work again, and returns the index of the next stage.
func (r *run) replace(x Rating, at int) (from int, err error) {
	if strings.TrimSpace(x.Instead) != "" {
		var text string
		var faults []string
		switch x.Stage {
		case StageDefiner:
			text, faults = readGoal(x.Instead)
		case StageFormulator:
			text, faults = readVariables(x.Instead, r.steps())
		default:
			text = fenced(x.Instead)
		}
		if len(faults) == 0 {
			round := r.round
			r.round++ // it belongs to the next round
			r.take(x.Stage, text, "assessor")
			r.round = round
			return at + 1, nil
		}
	}
	b := "An earlier version was wrong:\n- " + strings.TrimSpace(or(x.Reason, "the step is not right")) + "\n"
	if x.How != "" {
		b += "Correct it as follows: " + strings.TrimSpace(x.How) + "\n"
	}
	var certain []string
	for _, f := range r.openFindings() {
		if f.Stage == x.Stage {
			certain = append(certain, f.Message)
		}
	}
	b += bullets("Faults found by the checks:", certain)
	r.trouble[x.Stage] = b
	return at, nil
}
