package lab

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/plan/baseline"
	"github.com/stile-playground/stile/core/workspace"
)

// openagi returns the solver of the gallery's tasks of OpenAGI.
func openagi(t *testing.T) *solver {
	t.Helper()
	var files []workspace.File
	const folder = "../../grammars/openagi-tasks"
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		text, err := os.ReadFile(folder + "/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, workspace.File{Name: f.Name(), Text: string(text)})
	}
	tasks, err := Source{Kind: SourcePlans, Name: "tasks.json"}.read(workspace.Workspace{Files: files})
	if err != nil || len(tasks) != 185 {
		t.Fatalf("%d tasks: %v", len(tasks), err)
	}
	s := newSolver(files, tasks)
	if s == nil {
		t.Fatal("no tools")
	}
	return s
}

// Each task has a best plan: valid, and its result has all wanted properties.
func TestEveryTaskHasABestPlan(t *testing.T) {
	s := openagi(t)
	trees := 0
	for i, task := range s.tasks {
		best, err := s.best(i)
		if err != nil || best == nil {
			t.Fatalf("task %d: %v", i, err)
		}
		result := carryOut(s.tools.With(task.planned.inputs()), best.word)
		if score := task.planned.score(result); score != 1 || len(best.steps) == 0 {
			t.Errorf("task %d: %v scores %v", i, best.word, score)
		}
		if slices.Contains(best.word, "e1") || slices.Contains(best.word, "f1") {
			trees++
		}
		for _, in := range task.planned.Inputs {
			if !slices.Contains(best.word, in.Symbol) {
				t.Errorf("task %d: %v does not use %s", i, best.word, in.Symbol)
			}
		}
	}
	if trees < 60 {
		t.Errorf("%d trees", trees)
	}
}

// The examples of a few-shot prompt are plans of other tasks than those asked, with a tree. A copy of
// one has no score for the asked task, which is less than a random plan.
func TestShotsAreOtherTasks(t *testing.T) {
	s := openagi(t)
	asked := []int{2, 3, 10, 15, 20, 35, 45, 55, 65, 70, 90, 106, 112, 115, 118, 177, 179}
	trees := 0
	for _, at := range asked {
		shots, err := s.shots(at, asked)
		if err != nil || len(shots) != maxShots {
			t.Fatalf("task %d: %d shots, %v", at, len(shots), err)
		}
		e := examples{s: s, at: at}
		for _, shot := range shots {
			for _, other := range asked {
				if shot.Task == s.tasks[other].title {
					t.Errorf("task %d: the example is task %d", at, other)
				}
			}
			of := slices.IndexFunc(s.tasks, func(other task) bool { return other.title == shot.Task })
			if met, score, _, err := e.copied(of); met || score > 0 || err != nil {
				t.Errorf("task %d: a copy of %q scores %v: %v", at, shot.Steps, score, err)
			}
		}
		if slices.ContainsFunc(shots, func(shot baseline.Shot) bool {
			return strings.Contains(shot.Steps[len(shot.Steps)-1], "Question Answering")
		}) {
			trees++
		} else {
			t.Log(at, s.tasks[at].title, shots)
		}
	}
	if trees < len(asked)-1 { // task 118 is the tree of an image and a text itself
		t.Errorf("%d prompts with a tree", trees)
	}
	if shots, err := s.shots(0, nil); err != nil || len(shots) != maxShots {
		t.Errorf("without a list: %d shots, %v", len(shots), err)
	}
}

// If only tasks of the same class exist, the examples are those whose plans score least, and none of
// them meets the goal: a plan for a worse image would solve the task.
func TestShotsOfOneClassDoNotMeetTheGoal(t *testing.T) {
	s := openagi(t)
	var same []int
	for i, task := range s.tasks {
		if task.planned.Class == "image->image" {
			same = append(same, i)
		}
	}
	all := s.tasks
	s.tasks = nil
	for _, i := range same {
		s.tasks = append(s.tasks, all[i])
	}
	for at := range s.tasks {
		shots, err := s.shots(at, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := examples{s: s, at: at}
		for _, shot := range shots {
			of := slices.IndexFunc(s.tasks, func(other task) bool { return other.title == shot.Task })
			if met, _, _, err := e.copied(of); met || err != nil {
				t.Errorf("task %d: a copy of %q meets the goal: %v", at, shot.Steps, err)
			}
		}
		if at == 0 && len(shots) != maxShots { // only the best plan for four faults removes all of them
			t.Errorf("%d shots", len(shots))
		}
	}
}
