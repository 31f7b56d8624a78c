package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/stile-playground/stile/build/internal/packages"
)

// guardExample is an example of the page about adapters.
type guardExample struct {
	Title    string `json:"title"`
	Language string `json:"language"`
	Code     string `json:"code"`
}

var (
	exampleSection = regexp.MustCompile(`(?m)^##+ (.+)\n`)
	exampleBlock   = regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")
)

// adapterTitles are the sections of the page with examples, and the titles of their blocks.
var adapterTitles = map[string][]string{
	"MCP": {"MCP over stdio", "MCP over HTTP"}, "Claude Code": {"Claude Code"}, "Codex": {"Codex"}, "Chat completions": {"Chat completions"},
	"OpenAI Agents SDK": {"OpenAI Agents SDK"}, "LangChain": {"LangChain, LangGraph"}, "AI SDK": {"AI SDK of Vercel"},
	"Strands Agents SDK": {"Strands Agents SDK"}, "Claude Agent SDK": {"Claude Agent SDK"},
}

// guardExamples returns the examples of the page about adapters, which the step adapters runs, for the Export tab.
func guardExamples(r repo) ([]byte, error) {
	page, err := os.ReadFile(r.Path("web", "docs", "guard-adapters.md"))
	if err != nil {
		return nil, err
	}
	examples, err := examplesOf(string(page))
	if err != nil {
		return nil, err
	}
	npm, err := packages.NPM(r.Path())
	if err != nil {
		return nil, err
	}
	wheel, err := packages.Wheel(r.Path())
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("// Written by `go run ./build gen` from web/docs/guard-adapters.md; change the examples there.\n\n")
	b.WriteString("/** An example of an adapter, for a guard named shop.guard. */\nexport interface GuardExample {\n  readonly title: string;\n  readonly language: string;\n  readonly code: string;\n}\n\n")
	fmt.Fprintf(&b, "/** The files of the packages that this site serves. */\nexport const npmFile = %q;\nexport const wheelFile = %q;\n\n", npm.File, wheel.File)
	b.WriteString("export const guardExamples: readonly GuardExample[] = [\n")
	for _, e := range examples {
		line, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "  %s,\n", line)
	}
	b.WriteString("];\n")
	return b.Bytes(), nil
}

// examplesOf returns the examples of a page in its order.
func examplesOf(page string) (out []guardExample, err error) {
	places := exampleSection.FindAllStringSubmatchIndex(page, -1)
	for i, at := range places {
		end := len(page)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		titles := adapterTitles[page[at[2]:at[3]]]
		blocks := exampleBlock.FindAllStringSubmatch(page[at[1]:end], -1)
		if len(titles) > len(blocks) {
			return nil, fmt.Errorf("web/docs/guard-adapters.md: the section %s has %d examples; expected %d", page[at[2]:at[3]], len(blocks), len(titles))
		}
		for k, title := range titles {
			out = append(out, guardExample{title, blocks[k][1], strings.TrimSpace(blocks[k][2]) + "\n"})
		}
	}
	if want := len(adapterTitles) + 1; len(out) != want { // the section MCP has two
		return nil, fmt.Errorf("web/docs/guard-adapters.md has %d examples; expected %d", len(out), want)
	}
	return out, nil
}
