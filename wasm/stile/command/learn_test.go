package command

import (
	"os"
	"strings"
	"testing"
)

// labelled adds an outcome to a conversation.
func labelled(passed, text string) string { return `{"passed":` + passed + "," + text[1:] }

func TestLearnedFilesJudgeTheirRuns(t *testing.T) {
	var good, all []string
	for range 8 {
		for _, tools := range [][]string{{"lookup"}, {"lookup", "refund"}, {"lookup", "lookup", "refund"}} {
			good = append(good, conversation(tools...))
			all = append(all, labelled("true", conversation(tools...)))
		}
		all = append(all, labelled("false", conversation("refund")))
	}
	folder(t, map[string]string{"good.jsonl": strings.Join(good, "\n"), "all.jsonl": strings.Join(all, "\n"), "bad.json": conversation("refund"), "odd.json": `{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_use":[{"name":"x"}]}]}`})
	out, errs, code := stile("", "learn", "-outcome", "passed", "-o", "shop.agent", "-properties", "shop.ltl", "all.jsonl")
	if code != Pass || !strings.Contains(out, "from 24 passing and 8 failing runs") || !strings.Contains(out, "formulas") {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	if out, errs, code := stile("", "check", "shop.agent", "shop.ltl", "good.jsonl"); code != Pass {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if out, errs, code := stile("", "check", "shop.agent", "shop.ltl", "bad.json"); code != Fail || !strings.Contains(out, "violated") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if _, errs, code := stile("", "learn", "-o", "shop.agent", "good.jsonl"); code != Error || !strings.Contains(errs, "shop.agent exists") {
		t.Errorf("%d %s", code, errs)
	}
	out, errs, code = stile("", "learn", "-failing", "bad.json", "-refuse", "User lookup Answer", "good.jsonl")
	if code != Pass || !strings.Contains(out, "(define learned") || !strings.Contains(errs, "16 passing and 2 failing") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if _, errs, code := stile("", "learn", "good.jsonl", "odd.json"); code != Fail || !strings.Contains(errs, "1 runs were not understood") {
		t.Errorf("%d %s", code, errs)
	}
	if _, errs, code := stile("", "learn", "odd.json"); code != Error || !strings.Contains(errs, "no passing run") {
		t.Errorf("%d %s", code, errs)
	}
	if _, _, code := stile("", "learn"); code != Error {
		t.Error(code)
	}
	if _, err := os.Stat("learned.agent"); err == nil {
		t.Error("a file was written without -o")
	}
}

func TestDescribedFormatsAreJudged(t *testing.T) {
	step := func(tool string) string { return `{"s":1,"kind":"act","tool":"` + tool + `"}` + "\n" }
	log := `{"s":1,"kind":"ask","text":"q"}` + "\n" + step("look") + `{"s":1,"kind":"say","text":"a"}` + "\n"
	folder(t, map[string]string{
		"log.txt": log, "bad.txt": strings.Replace(log, "look", "drop", 1), "odd.txt": strings.Replace(log, "act", "deed", 1),
		"shop.agent": `(define shop (:states (User (:text "[User]") (:flags :env-input)) (look (:text "[Call look]")) (Answer (:text "[Answer]"))) (:behavior (next User look Answer)))`,
		"m.json":     `{"run": ".s", "rows": [{"kind": "user", "where": {".kind": "ask"}, "text": ".text"}, {"kind": "call", "where": {".kind": "act"}, "tool": ".tool"}, {"kind": "text", "where": {".kind": "say"}, "text": ".text"}]}`,
		"wrong.json": `{"rows": []}`,
	})
	for _, c := range []struct {
		name, file string
		want       int
	}{{"m.json", "log.txt", Pass}, {"m.json", "bad.txt", Fail}, {"m.json", "odd.txt", Fail}, {"wrong.json", "log.txt", Error}} {
		if out, errs, code := stile("", "check", "-map", c.name, "shop.agent", c.file); code != c.want {
			t.Errorf("%s, %s: %d, expected %d\n%s%s", c.name, c.file, code, c.want, out, errs)
		}
	}
}
