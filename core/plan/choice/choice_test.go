package choice

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
)

// truth is a reply with the choice that a person reads in it.
type truth struct {
	place, style, language string
	options                []string
	want                   int // 0: none
	reply                  string
}

// truths reads a table of replies. A line has the name of a set of options, the style of a
// family of models, the language, the choice or "-", and the reply with "\n" for line breaks.
func truths(t *testing.T, name string) []truth {
	t.Helper()
	sets := map[string][]string{}
	for line := range strings.Lines(file(t, "sets.txt")) {
		set, labels, _ := strings.Cut(strings.TrimSpace(line), ": ")
		sets[set] = strings.Split(labels, " | ")
	}
	var out []truth
	for line := range strings.Lines(file(t, name)) {
		line = strings.TrimSuffix(line, "\n")
		parts := strings.SplitN(line, " ", 5)
		if len(parts) != 5 || sets[parts[0]] == nil {
			t.Fatalf("%s: unexpected line %q", name, line)
		}
		x := truth{place: fmt.Sprintf("%s:%d", name, len(out)+1), options: sets[parts[0]], style: parts[1], language: parts[2], reply: strings.ReplaceAll(parts[4], `\n`, "\n")}
		if parts[3] != "-" {
			fmt.Sscan(parts[3], &x.want)
		}
		out = append(out, x)
	}
	return out
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var tables = []string{"known.txt", "held.txt", "second.txt", "third.txt", "fourth.txt", "fifth.txt", "sixth.txt", "seventh.txt", "eighth.txt", "ninth.txt", "tenth.txt", "eleventh.txt", "twelfth.txt", "thirteenth.txt", "fourteenth.txt", "fifteenth.txt", "sixteenth.txt", "seventeenth.txt"}

// gaps are replies that a person reads and Read refuses, with the reason; they cost another
// request.
var gaps = map[string]string{
	"Of the five, the fifth.": "an ordinal without a noun needs a statement, because \"the first\" often begins a list of reasons",
	"The second colours it.":  "a verb does not make an option the choice: \"option 1 colours a picture\" describes it",
	"colour detection":        "part of a label is none",

	"Only option 4 describes the image.":                                           "\"only option 4 needs the network\" may be its fault",
	"The best choice is 2. Disclaimer: I am an AI and cannot give medical advice.": "a refusal anywhere in the reply is one",

	"Probably 2, but I am not completely sure.": "a doubt after the choice is a reason to ask again",
}

func TestGapsAreRefused(t *testing.T) {
	options := truths(t, "known.txt")[0].options
	for reply := range gaps {
		if got := Read(options, reply); got.Choice != 0 {
			t.Errorf("%q is read: %+v", reply, got)
		}
	}
}

// Replies are read as a person reads them.
func TestReplies(t *testing.T) {
	for _, name := range tables {
		list, right := truths(t, name), 0
		for _, x := range list {
			got := Read(x.options, x.reply)
			if got.Choice == x.want {
				right++
				continue
			}
			t.Errorf("%s: %d (%s%s), want %d: %q", x.place, got.Choice, got.How, got.Reason, x.want, x.reply)
		}
		t.Logf("%s: %d of %d", name, right, len(list))
	}
}

// A reading is a number of an option or a reason, and a closed thought before the reply does
// not change it.
func FuzzRead(f *testing.F) {
	for _, x := range truths(new(testing.T), "known.txt") {
		f.Add(strings.Join(x.options, "|"), x.reply)
	}
	f.Add("0", "first")
	f.Fuzz(func(t *testing.T, labels, reply string) {
		options := strings.Split(labels, "|")
		got := Read(options, reply)
		if got.Choice < 0 || got.Choice > len(options) || (got.Choice == 0) != (got.Reason != "") || (got.Choice == 0) != (got.How == "") {
			t.Fatalf("%q: %+v", reply, got)
		}
		for _, thought := range []string{"<think>2, or not 1?</think>", "<thinking>\n1\n</thinking>\n\n", "◁think▷3◁/think▷"} {
			if again := Read(options, thought+reply); again.Choice != got.Choice {
				t.Errorf("%q: %+v, after a thought %+v", reply, got, again)
			}
		}
		if byLabel := ReadLabel(options, reply); byLabel.Choice < 0 || byLabel.Choice > len(options) {
			t.Errorf("%q: %+v by label", reply, byLabel)
		}
	})
}

// Reading takes time linear in the reply: no phrase, list or form is searched again and again.
func TestLongRepliesAreRead(t *testing.T) {
	options := []string{"a", "a b", "a b c", "option"}
	length := effort.Sample(MaxReply, MaxReply/2)
	for _, part := range []string{"a ", "1 ", "1, ", "{", "\"", "not ", "I can ", "<think", "<think>", "</think>", "**", "option ", "1 or ", "\\boxed{", "<answer>", "a,,,", "选", "if ", "it ", "1. a\n2. b\n", "**1 ", "1 wait, 2 ", "not 1, 2 ", "I choose 1. Not 1. ", "\n", "- ", "(", "1\n", "\"a\": ", "{\"a\": 1", "Thought: ", "<|channel|>", "a b c d "} {
		reply := strings.Repeat(part, length/len(part))
		if got := Read(options, reply); got.Choice < 0 || got.Choice > len(options) {
			t.Errorf("%q: %+v", part, got)
		}
	}
	if got := Read(options, strings.Repeat("x", MaxReply)+"1"); got.Choice != 0 {
		t.Errorf("a reply that is too long is %+v", got)
	}
}

// A refusal is no choice, whatever it mentions.
func TestRefusalsAreNoChoices(t *testing.T) {
	options := truths(t, "known.txt")[0].options
	for line := range strings.Lines(file(t, "refusals.txt")) {
		text := strings.TrimSpace(line)
		for _, reply := range []string{
			text, "**" + text + "**", "<think>3 fits.</think>" + text, text + "\n\nOption 2 would be unsafe.", text + " There are 3 reasons for that.",
			"Option 2: " + text, text + " (2)", text + "\n\n1. It is unsafe.\n2. It is illegal.", "You asked for option 3. " + text, "3 persons are in the image. " + text,
			text + " Is there anything else I can do with the 2 images?", "Object Detection: " + text, text + " I hope you understand.\n\n— Your assistant, v2",
		} {
			if got := Read(options, reply); got.Choice != 0 {
				t.Errorf("%q: %+v", reply, got)
			}
		}
	}
}

// An undecided reply is no choice, in any form.
func TestUndecidedRepliesAreNoChoices(t *testing.T) {
	options := truths(t, "known.txt")[0].options
	for line := range strings.Lines(file(t, "undecided.txt")) {
		text := strings.TrimSpace(line)
		for _, reply := range []string{text, "**" + text + "**", "<think>So 3.</think>\n\n" + text, "Hmm. " + text, "Answer: " + text, "{\"choice\": \"" + text + "\"}", "There are 5 options. " + text} {
			if got := Read(options, reply); got.Choice != 0 {
				t.Errorf("%q: %+v", reply, got)
			}
		}
	}
}

// Read returns the option that a statement names, whatever thoughts, remarks or numbers surround it.
func TestStatementsAreRead(t *testing.T) {
	options := truths(t, "known.txt")[0].options
	known, suffixes := newLabels(options), file(t, "suffixes.txt")
	for line := range strings.Lines(file(t, "statements.txt")) {
		for n := range options {
			text := strings.ReplaceAll(strings.TrimSpace(line), "{}", fmt.Sprint(n+1))
			for suffix := range strings.Lines(suffixes) {
				suffix = strings.ReplaceAll(strings.TrimSuffix(suffix, "\n"), `\n`, "\n")
				if strings.Contains(suffix, fmt.Sprint("Options ", n+1)) || strings.Contains(suffix, fmt.Sprint("and ", n+1)) {
					continue
				}
				if strings.HasPrefix(suffix, " ") && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "。") {
					suffix = "." + suffix
				}
				for _, prefix := range []string{"", "<think>Perhaps 2? Or 4.</think>\n", "Okay. ", "The task has 3 steps.\n\n"} {
					reply := prefix + text + suffix
					if got := known.read(reply, false); got.Choice != n+1 {
						t.Errorf("%q: %+v", reply, got)
					}
				}
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for reply, want := range map[string]bool{
		"I'm sorry, but I can't help with that.": true, "I am unable to assist with this request.": true, "Ich kann dabei nicht helfen.": true,
		"42": false, "The lighthouse is 42 m high.": false, "": false, "<think>I can't help with that.</think> 42": false,
	} {
		if got := Refuses(reply); got != want {
			t.Errorf("%q: %v", reply, got)
		}
	}
}

func TestUnanswered(t *testing.T) {
	for reply, want := range map[string]string{
		"": "the answer is empty", " \n": "the answer is empty", "<think>hm</think>": "the reply has thoughts only",
		"I'm sorry, but I can't help with that.": `the answer reads like a refusal: "I'm sorry, but I can't help with that."`,
		"{}":                                     "", "That depends.": "",
	} {
		if got := Unanswered(reply); got != want {
			t.Errorf("%q: %q, expected %q", reply, got, want)
		}
	}
}
