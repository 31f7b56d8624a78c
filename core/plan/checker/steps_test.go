package checker

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/meter"
)

func TestReadingOfSteps(t *testing.T) {
	tests := []struct {
		name, text string
		function   string // of a valid plan
		fault      string // a part of it
		note       string // a part of the notes
	}{
		{name: "the paper's example", text: "Step 1: Use Object Detection on the input image to obtain text.\nStep 2: Apply Colorization on the input image to generate the output image.\nStep 3: Employ Visual Question Answering with the text and the output image to derive the final text.", function: "e1(a1(i), b2(i))"},
		{name: "the other branch first", text: "1. Use Colorization on the input image\n2. Use Object Detection on the input image\n3. Use Visual Question Answering", function: "e1(a1(i), b2(i))"},
		{name: "two plans", text: "1. Colorization\n2. Object Detection\n3. Visual Question Answering", function: "e1(i, b2(a1(i)))", note: "2 readings fit; shown: e1(i, b2(a1(i)))"},
		{name: "an output is a result", text: "1. Image Denoising\n2. Object Detection\n3. Visual Question Answering on the output image", function: "e1(a2(i), b2(i))", note: "2 readings fit"},
		{name: "arguments in another order", text: "1. Use Colorization on the input image\n2. Use Object Detection on the input image\n3. Use Visual Question Answering on the result of step 2 and the result of step 1", function: "e1(a1(i), b2(i))"},
		{name: "equal arguments as they are named", text: "1. Image Captioning\n2. Object Detection\n3. Question Answering on the output of step 2 and the output of step 1", function: "f1(b2(i), b1(i))"},
		{name: "the previous step", text: "1. Colorization\n2. Use Image Captioning on the input image\n3. Use Machine Translation on the previous result\n4. Visual Question Answering", function: "e1(a1(i), d1(b1(i)))"},
		{name: "a result by name", text: "1. Colorization\n2. Image Captioning on the input image\n3. Visual Question Answering on the results of Colorization and Image Captioning", function: "e1(a1(i), b1(i))"},
		{name: "for a later step", text: "1. Use Image Captioning to get a text for step 3\n2. Use Colorization\n3. Use Visual Question Answering", function: "e1(a1(i), b1(i))"},
		{name: "from the last to the first", text: "2. Image Captioning on the result of step 1\n1. Colorization", function: "b1(a1(i))", note: "from the last to the first"},
		{name: "numbered as in Markdown", text: "1. Colorization\n1. Image Captioning", function: "b1(a1(i))"},
		{name: "labels in a row", text: "Colorization, Image Captioning", function: "b1(a1(i))"},
		{name: "a list in JSON", text: "```json\n[\n  \"Use Colorization\",\n  \"Use Image Captioning\"\n]\n```", function: "b1(a1(i))"},
		{name: "stems", text: "1. Denoise the picture\n2. Detect the objects\n3. Translate the detected objects", function: "d1(b2(a2(i)))", note: "was read as Machine Translation"},
		{name: "snake case", text: "machine_translation(image_captioning(input_image))", function: "d1(b1(i))"},
		{name: "camel case", text: "1. imageCaptioning\n2. MachineTranslation", function: "d1(b1(i))"},
		{name: "an exclusion", text: "1. Use Image Captioning, not Object Detection", function: "b1(i)", note: "step 1 says not to use Object Detection"},
		{name: "after a step", text: "1. Colorization\n2. After Colorization, use Image Captioning", function: "b1(a1(i))"},
		{name: "a summary", text: "1. Colorization\n2. Image Captioning\nThe plan uses Colorization first.", function: "b1(a1(i))"},
		{name: "parentheses that group", text: "(e1((a1(i)), T(b1(i))))", function: "e1(a1(i), b1(i))"},
		{name: "sentences on one line", text: "First, denoise the input image. Then detect the objects. Finally use Machine Translation.", function: "d1(b2(a2(i)))"},
		{name: "an exclusion in prose", text: "Use Image Captioning first. Do not use Colorization. Then use Machine Translation.", function: "d1(b1(i))", note: "the text says not to use Colorization"},
		{name: "a name after the label", text: "1. Image Captioning (b1)\n2. Machine Translation: use the Machine Translation tool", function: "d1(b1(i))"},
		{name: "calls", text: "Step 1: b1(i)\nStep 2: a1(i)\nStep 3: e1(a1, b1)", function: "e1(a1(i), b1(i))"},
		{name: "calls with numbers", text: "1. b1(i)\n2. a1(i)\n3. e1(step 2, step 1)", function: "e1(a1(i), b1(i))"},
		{name: "names in a list", text: `["b1", "a1", "e1"]`, function: "e1(a1(i), b1(i))"},
		{name: "steps in words", text: "1. Image Captioning\n2. Object Detection\n3. Question Answering on the output of the second step and the result of step one", function: "f1(b2(i), b1(i))"},
		{name: "results with numbers", text: "1. Image Captioning\n2. Object Detection\n3. Question Answering on output 2 and output 1", function: "f1(b2(i), b1(i))"},
		{name: "the end of a step", text: "1. Use Image Captioning, then return the text", function: "b1(i)"},

		{name: "a heading before one list", text: "Plan:\n1. Colorization\n2. Image Captioning", function: "b1(a1(i))"},
		{name: "a heading before equal numbers", text: "Here is the plan:\n1. Colorization\n1. Image Captioning", function: "b1(a1(i))"},
		{name: "the question of a tool", text: "1. Use Image Captioning to check if it rains", function: "b1(i)"},
		{name: "a question word as a comparison", text: "1. Use Image Captioning as if it were a photo", function: "b1(i)"},
		{name: "a necessity", text: "1. Use Image Captioning, which is necessary", function: "b1(i)"},
		{name: "a case", text: "1. Use Image Captioning in this case", function: "b1(i)"},
		{name: "inputs in other words", text: "1. We have the input image from the user\n2. Image Captioning", function: "b1(i)"},

		{name: "a clause that is not read", text: "1. Use Image Captioning, then dance around", fault: "names no known tool in “then dance around”"},
		{name: "a repetition", text: "1. Use Image Captioning twice", fault: "repeats a tool; expected a step for each use"},
		{name: "a sentence that is not read", text: "Use Image Captioning. Then dance. Then use Machine Translation.", fault: "“Then dance.”, names no known tool"},
		{name: "an unknown tool in a step", text: "1. Use Image Captioning and the Magic Wand", fault: "names “Magic Wand”, which is not a known tool"},
		{name: "two plans of one step", text: "Plan A:\n1. Image Captioning\nPlan B:\n1. Machine Translation", fault: "the text has several lists; expected one plan"},
		{name: "two options", text: "Option 1:\n- Image Captioning\nOption 2:\n- Object Detection", fault: "the text has several lists; expected one plan"},
		{name: "a result that is not used", text: "1. Use Colorization on the input image\n2. Use Image Denoising on the input image\n3. Use Image Captioning on the result of step 2", fault: "no step takes the result of step 1 (Colorization)", note: "without their references"},
		{name: "a result of the wrong kind", text: "1. Image Captioning\n2. Use Colorization on the result of step 1\n3. Object Detection", fault: "step 2 (Colorization) cannot take the result of step 1 (Image Captioning), which is a text"},
		{name: "an input of the wrong kind", text: "1. Image Captioning\n2. Use Machine Translation on the input image\n3. Question Answering", fault: "step 2 (Machine Translation) cannot take the input image"},
		{name: "too few results", text: "1. Image Captioning\n2. Question Answering", fault: "step 2 (Question Answering) is not valid at this position: it takes a text and a text, and some of these results are used already"},
		{name: "the wrong result", text: "1. Colorization", fault: "the plan ends too early: a text is still needed; the result is an image"},
		{name: "an unknown letter after a symbol", text: "1. b1 x", fault: "step 1, “x”, names no known tool"},
		{name: "an unknown symbol after a symbol", text: "1. b1 z9\n2. d1", fault: "step 1, “z9”, names no known tool"},
		{name: "an unknown letter after a label", text: "1. Image Captioning, x", fault: "step 1, “x”, names no known tool"},
		{name: "an input that the step takes", text: "1. b1 i", function: "b1(i)"},
		{name: "prose before a symbol", text: "1. First do b1", function: "b1(i)"},
		{name: "prose after a symbol", text: "1. b1 as usual", function: "b1(i)"},
		{name: "an unread word after a symbol", text: "1. b1 quickly", function: "b1(i)"},
		{name: "a file name after a label", text: "1. Image Captioning x.png", function: "b1(i)"},
		{name: "a time before a label", text: "1. 8am: Image Captioning", function: "b1(i)"},
		{name: "two results", text: "1. Image Captioning\n2. Object Detection", fault: "no step uses the results of step 1 (Image Captioning) and step 2 (Object Detection)"},
		{name: "an ambiguous stem", text: "1. Image Captioning\n2. Answer it", fault: "step 2, “Answer it”, may be Visual Question Answering or Question Answering"},
		{name: "only an exclusion", text: "1. Image Captioning\n2. Do not use Machine Translation", fault: "says not to use Machine Translation"},
		{name: "an alternative", text: "1. Image Captioning or Object Detection", fault: "names Image Captioning or Object Detection; expected one"},
		{name: "a condition", text: "1. If it is noisy, use Image Denoising\n2. Image Captioning", fault: "is conditional"},
		{name: "a condition after the tool", text: "1. Use Image Denoising if it is noisy\n2. Image Captioning", fault: "step 1, “Use Image Denoising if it is noisy”, is conditional"},
		{name: "a question before the tool", text: "1. Check if it is noisy and use Image Denoising\n2. Image Captioning", fault: "is conditional"},
		{name: "an exception after the tool", text: "1. Use Image Denoising unless it is clear\n2. Image Captioning", fault: "is conditional"},
		{name: "a case after the tool", text: "1. Use Image Denoising in case of noise\n2. Image Captioning", fault: "is conditional"},
		{name: "a need after the tool", text: "1. Use Image Denoising where necessary\n2. Image Captioning", fault: "is conditional"},
		{name: "a misspelt tool on an input", text: "1. Use Colrizzzatn on the input image\n2. Image Captioning", fault: "step 1, “Use Colrizzzatn on the input image”, names no known tool"},
		{name: "an input given to a misspelt tool", text: "1. Image Captioning\n2. Pass the input image to Colrizzzatn", fault: "step 2, “Pass the input image to Colrizzzatn”, names no known tool"},
		{name: "two lists of equal numbers", text: "1. Colorization\n\nThen:\n1. Image Captioning", fault: "the text has several lists; expected one plan"},
		{name: "two lists", text: "1. Colorization\n2. Image Captioning\n\n1. Machine Translation", fault: "the text has 2 numbered lists; expected one plan"},
		{name: "numbers in disorder", text: "1. Colorization\n3. Image Captioning\n2. Machine Translation", fault: "the numbers of the steps are not in order"},
		{name: "a missing step", text: "1. Image Captioning on the output of step 4", fault: "refers to step 4, which does not precede it"},
		{name: "the result of no step", text: "1. Image Captioning on the output of Colorization", fault: "takes the result of Colorization, which no step before it makes"},
		{name: "the step before the first", text: "1. Image Captioning on the result of the previous step", fault: "refers to the step before it, which is missing"},
		{name: "a tool outside the list", text: "1. Image Captioning\n2. Machine Translation\nI also used Colorization.", fault: "Colorization is named outside the list, but is not a step of it"},
		{name: "other parentheses", text: "e1(a1(i, b1(i)))", fault: "the parentheses do not match; expected e1(a1(i), b1(i))"},
		{name: "an open parenthesis", text: "e1(a1(i), b1(i)", fault: "unmatched \"(\""},
		{name: "nothing to do", text: "---", fault: "no step of a plan was found"},
	}
	g := must.Grammar(t, plantest.Tools)
	c, err := New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := c.Check(test.text, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, c, test.text, v)
			if v.Valid != (test.fault == "") || v.Valid && v.Function != test.function || !strings.Contains(v.Fault, test.fault) || !strings.Contains(strings.Join(v.Notes, "\n"), test.note) {
				t.Errorf("valid %v, %s: %s\nnotes: %q", v.Valid, v.Function, v.Fault, v.Notes)
			}
		})
	}
}

func TestUnknownWordsOfTerseStepsAreUnread(t *testing.T) {
	g := must.Grammar(t, plantest.Tools)
	c, err := New(g, g.DeclaredLimits(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"1. b1 x": "x", "1. b1 quickly": "quickly", "1. First do b1": "", "1. b1 as usual": "", "1. Image Captioning slowly": ""} {
		v, err := c.Check(text, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, u := range v.Unread {
			if got += u.Text; text[u.Start:u.End] != u.Text || !u.Step {
				t.Errorf("%q: %+v", text, u)
			}
		}
		if got != want {
			t.Errorf("%q: unread is %q, want %q", text, got, want)
		}
	}
}

func TestStemsOfOneWordAreEqual(t *testing.T) {
	for _, words := range []string{
		"summarize summarise summarizes summarizing summarization summary summaries", "deblur deblurs deblurring", "colorize colourise colorization coloring color",
		"classify classifies classifying classification", "translate translating translation translations", "generate generating generation", "detect detected detecting detection",
		"caption captions captioned captioning", "denoise denoising denoised", "image images", "fill filled filling", "analyse analyze analysis", "recognise recognition",
	} {
		list := strings.Fields(words)
		for _, word := range list[1:] {
			if stem(word) != stem(list[0]) {
				t.Errorf("the stem of %s is %s, that of %s %s", word, stem(word), list[0], stem(list[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"image", "imagine"}, {"text", "test"}, {"translate", "transfer"}, {"mask", "make"}} {
		if stem(pair[0]) == stem(pair[1]) {
			t.Errorf("%s and %s have the stem %s", pair[0], pair[1], stem(pair[0]))
		}
	}
}
