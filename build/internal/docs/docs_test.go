package docs_test

import (
	"testing"

	"github.com/stile-playground/stile/build/internal/docs"
)

func TestBuild(t *testing.T) {
	pages, err := docs.Build("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		t.Log(p.Name, len(p.Body), len(p.Heads))
	}
}
