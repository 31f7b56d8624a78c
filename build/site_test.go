package main

import (
	"testing"

	"github.com/stile-playground/stile/grammars"
)

func TestSiteWithAWorkerLinksItsOEmbed(t *testing.T) {
	example := grammars.Example{ID: "anbn", Title: `A "title" <b>`}
	want := `<link rel="alternate" type="application/json+oembed" href="https://worker.example/oembed?url=%3Fexample%3Danbn&amp;format=json" title="Stile: A &#34;title&#34; &lt;b&gt;">
<link rel="alternate" type="text/xml+oembed" href="https://worker.example/oembed?url=%3Fexample%3Danbn&amp;format=xml" title="Stile: A &#34;title&#34; &lt;b&gt;">
`
	if got := oembedLinks("https://worker.example", example); got != want {
		t.Errorf("got %s", got)
	}
	if got := oembedLinks("", example); got != "" {
		t.Errorf("without a worker: %s", got)
	}
}
