package lab

import (
	"os"
	"slices"
	"strings"
	"testing"

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

// The examples of a few-shot prompt are plans of other tasks than those asked, with a tree.
func TestShotsAreOtherTasks(t *testing.T) {
	s := openagi(t)
	asked := []int{2, 3, 10, 15, 20, 35, 45, 55, 65, 70, 90, 106, 112, 115, 118, 177, 179}
	for _, at := range asked {
		shots, err := s.shots(at, asked)
		if err != nil || len(shots) != maxShots {
			t.Fatalf("task %d: %d shots, %v", at, len(shots), err)
		}
		tree := false
		for _, shot := range shots {
			for _, other := range asked {
				if shot.Task == s.tasks[other].title {
					t.Errorf("task %d: the example is task %d", at, other)
				}
			}
			if slices.Equal(shot.Steps, s.solved[at].steps) {
				t.Errorf("task %d: an example has its plan %q", at, shot.Steps)
			}
			tree = tree || strings.Contains(strings.Join(shot.Steps, " "), "Question Answering")
		}
		if !tree {
			t.Errorf("task %d has no tree among its examples: %+v", at, shots)
		}
	}
	if shots, err := s.shots(0, nil); err != nil || len(shots) != maxShots {
		t.Errorf("without a list: %d shots, %v", len(shots), err)
	}
}
