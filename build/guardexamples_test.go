package main

import (
	"strings"
	"testing"
)

// An example that is missing from the page is an error, so that the Export tab has all of them.
func TestExamplesOfAdapters(t *testing.T) {
	var page strings.Builder
	for _, title := range []string{"MCP", "Claude Code", "Codex", "Chat completions", "OpenAI Agents SDK", "LangChain", "AI SDK", "Strands Agents SDK", "Claude Agent SDK"} {
		page.WriteString("## " + title + "\n\ntext\n\n```sh\nstile " + title + "\n```\n\n```sh\nsecond\n```\n\n")
	}
	examples, err := examplesOf(page.String())
	if err != nil || len(examples) != 10 || examples[0] != (guardExample{"MCP over stdio", "sh", "stile MCP\n"}) || examples[1].Code != "second\n" {
		t.Errorf("%v: %+v", err, examples)
	}
	if _, err := examplesOf(strings.Replace(page.String(), "## Codex", "## Other", 1)); err == nil {
		t.Error("a page without a section is accepted")
	}
	if _, err := examplesOf(strings.Replace(page.String(), "```sh\nstile Codex\n```\n\n```sh\nsecond\n```", "", 1)); err == nil {
		t.Error("a section without an example is accepted")
	}
}
