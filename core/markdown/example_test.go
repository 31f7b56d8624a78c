//go:build !wasm

package markdown_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/markdown"
	"github.com/yuin/goldmark"
)

// A fenced block in one of Stile's notations becomes a figure with a drawing. Other blocks are unchanged.
func ExampleExtension() {
	md := goldmark.New(goldmark.WithExtensions(markdown.Extension{Playground: "https://stile.example/"}))
	for _, language := range []string{"cfg", "sh"} {
		var page bytes.Buffer
		if err := md.Convert([]byte("```"+language+"\nS -> a S b | ε\n```\n"), &page); err != nil {
			fmt.Println(err)
			return
		}
		html := page.String()
		fmt.Println(language, strings.Contains(html, "<svg"), strings.Contains(html, `href="https://stile.example/`))
	}
	// Output:
	// cfg true true
	// sh false false
}
