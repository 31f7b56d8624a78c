package grammars

import "strings"

// The marks of values in tasks.
const (
	markLow    = "low-resolution"
	markNoisy  = "noisy"
	markBlurry = "blurry"
	markGrey   = "grey"
	markGap    = "gap" // a word is missing
	markGuess  = "guess"
	markGerman = "German"
)

// OpenAGITasks returns the 185 forms of tasks of the OpenAGI benchmark (Ge et al.
// 2023), in our own words and in the order of its list. Only the facts are taken from it
// (agiresearch/OpenAGI, research/benchmark_tasks/task_description.txt): the degradation of an
// image, whether a text has a gap, the goal and its language.
//
//	        0–14     image → image        15 degradations of an image
//		15–104   image → text         those × caption, class, objects × German, English
//		105–106  text → image         with a gap, whole
//		107–116  text → text          those × summary, translation, sentiment in German; summary, sentiment in English
//		117–176  image + text → text  15 × 2 × English, German
//		177–184  two texts → text     2 × 2 × German, English
func OpenAGITasks() []Task {
	b := &taskBuilder{}
	b.restore()
	b.describe()
	b.paint()
	b.rewrite()
	b.askImage()
	b.askText()
	return b.tasks
}

type taskBuilder struct{ tasks []Task }

func (b *taskBuilder) add(t Task) {
	t.ID = len(b.tasks)
	b.tasks = append(b.tasks, t)
}

// spoilt lists the degradations of an image, in the benchmark's order.
func spoilt() [][]string {
	var out [][]string
	for set := 15; set > 0; set-- {
		var marks []string
		for bit, mark := range []string{markLow, markNoisy, markBlurry, markGrey} {
			if set>>bit&1 == 1 {
				marks = append(marks, mark)
			}
		}
		out = append(out, marks)
	}
	return out
}

// words formats marks for a sentence: "blurry, grey".
func words(marks []string) string { return strings.Join(marks, ", ") }

// language is a language of results.
type language struct {
	name  string
	marks []string
}

var (
	english = language{name: "English"}
	german  = language{name: "German", marks: []string{markGerman}}
)

// picture is the content of the images.
const picture = "two cats on a red sofa"

// shipText is the content of texts and documents.
const shipText = "The ship left the quiet harbour at dawn, and nobody was sorry."

// writing is a text in a task's input: its name in the task's sentence, and the text.
type writing struct {
	words, text string
	marks       []string
}

func (w writing) input(symbol string) TaskInput {
	return TaskInput{Symbol: symbol, Type: "text", Text: w.text, Marks: w.marks}
}

// writings returns a text with a gap and the complete one, in the benchmark's order.
func writings(noun, text string) []writing {
	words := strings.Fields(text)
	words[len(words)/2] = "____"
	return []writing{
		{"an English " + noun + " with words blanked out", strings.Join(words, " "), []string{markGap}},
		{"an English " + noun, text, nil},
	}
}

func image(marks []string) TaskInput {
	return TaskInput{Symbol: "i", Type: "image", Text: picture, Marks: marks}
}

// join returns a new slice with the elements of both.
func join(lists ...[]string) []string {
	var out []string
	for _, list := range lists {
		out = append(out, list...)
	}
	return out
}

func (b *taskBuilder) restore() {
	for _, marks := range spoilt() {
		b.add(Task{
			Text:  "Here is a " + words(marks) + " image. Plan how to turn it into a clean one.",
			Class: "image->image", Spec: "image-to-image.cfg", Kind: "Task 3",
			Inputs: []TaskInput{image(marks)}, Output: "a clean image",
			Goal: TaskGoal{Type: "image", Without: join(marks, []string{markGuess})},
		})
	}
}

func (b *taskBuilder) describe() {
	for _, marks := range spoilt() {
		for _, l := range []language{german, english} {
			for _, what := range []struct{ words, mark string }{
				{"a caption for it", "caption"},
				{"the class that it belongs to", "class"},
				{"the names of the objects in it", "objects"},
			} {
				b.add(Task{
					Text:  "Here is a " + words(marks) + " image. Plan how to get " + what.words + ", in " + l.name + ".",
					Class: "image->text", Spec: "image-to-text.cfg", Kind: "Task 2",
					Inputs: []TaskInput{image(marks)}, Output: what.mark + " in " + l.name,
					Goal: TaskGoal{Type: "text", Marks: join([]string{what.mark}, l.marks), Without: []string{markGuess}},
				})
			}
		}
	}
}

func (b *taskBuilder) paint() {
	for _, t := range writings("text", shipText) {
		b.add(Task{
			Text:  "Here is " + t.words + ". Plan how to get an image of what it says.",
			Class: "text->image", Spec: "text-to-image.cfg", Kind: "Task 1",
			Inputs: []TaskInput{t.input("t")}, Output: "an image",
			Goal: TaskGoal{Type: "image", Without: []string{markGuess}},
		})
	}
}

func (b *taskBuilder) rewrite() {
	for _, t := range writings("text", shipText) {
		for _, what := range []struct {
			words, mark string
			language    language
		}{
			{"a summary of it in German", "summary", german},
			{"a German translation of it", "", german},
			{"its sentiment, in German", "sentiment", german},
			{"a summary of it in English", "summary", english},
			{"its sentiment, in English", "sentiment", english},
		} {
			goal := TaskGoal{Type: "text", Marks: join(what.language.marks), Without: []string{markGap, markGuess}}
			output := "translation in German"
			if what.mark != "" {
				goal.Marks = join([]string{what.mark}, what.language.marks)
				output = what.mark + " in " + what.language.name
			}
			b.add(Task{
				Text:  "Here is " + t.words + ". Plan how to get " + what.words + ".",
				Class: "text->text", Spec: "text-to-text.cfg", Kind: "Task 2",
				Inputs: []TaskInput{t.input("t")}, Output: output, Goal: goal,
			})
		}
	}
}

func (b *taskBuilder) askImage() {
	for _, marks := range spoilt() {
		for _, question := range writings("question", "How many cats are there?") {
			for _, l := range []language{english, german} {
				b.add(Task{
					Text:  "Here are a " + words(marks) + " image and " + question.words + " about it. Plan how to get the answer, in " + l.name + ".",
					Class: "image+text->text", Spec: "image-and-text-to-text.cfg", Kind: "Task X",
					Inputs: []TaskInput{image(marks), question.input("t")}, Output: "answer in " + l.name,
					Goal: TaskGoal{Type: "text", Marks: join([]string{"answer"}, l.marks), Without: []string{markGuess}},
				})
			}
		}
	}
}

func (b *taskBuilder) askText() {
	for _, document := range writings("document", shipText) {
		for _, question := range writings("question", "When did the ship leave?") {
			for _, l := range []language{german, english} {
				b.add(Task{
					Text:  "Here are " + document.words + " and " + question.words + " about it. Plan how to get the answer, in " + l.name + ".",
					Class: "text+text->text", Spec: "two-texts-to-text.cfg", Kind: "Task X",
					Inputs: []TaskInput{document.input("t1"), question.input("t2")}, Output: "answer in " + l.name,
					Goal: TaskGoal{Type: "text", Marks: join([]string{"answer"}, l.marks), Without: []string{markGuess}},
				})
			}
		}
	}
}
