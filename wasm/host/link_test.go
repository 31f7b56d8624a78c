package host_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// keptLink is a row of the corpus of old links.
type keptLink struct {
	Made  string          `json:"made"`
	Link  string          `json:"link"`
	Files []session.File  `json:"files"`
	Run   *session.RunLog `json:"run"`
}

func keptLinks(t *testing.T) (links []keptLink) {
	data, err := os.ReadFile("../../core/workspace/testdata/links.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var l keptLink
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		links = append(links, l)
	}
	return links
}

func TestModuleOpensOldLinks(t *testing.T) {
	wasm := instance(t)
	for _, l := range keptLinks(t) {
		var opened session.ShareDecodeResult
		err := host.Call(context.Background(), wasm, "share.decode", session.ShareDecodeParams{Fragment: l.Link}, &opened)
		if err != nil || !reflect.DeepEqual(opened.Files, l.Files) || (opened.Log == nil) != (l.Run == nil) {
			t.Fatalf("%s: %+v %v", l.Made, opened, err)
		}
		if l.Run == nil {
			continue
		}
		// It replays without requests.
		outcome, err := (&host.Runner{Handler: wasm}).Run(context.Background(), session.RunStartParams{
			Workspace: session.RunWorkspace{Files: opened.Files, Name: opened.Log.Name}, Log: opened.Log,
		})
		if err != nil || len(outcome.Result) == 0 {
			t.Errorf("%s: %s %v", l.Made, outcome.Result, err)
		}
	}
}

// The core's tests try ten thousand of these and every corruption.
func TestModuleLinksEqualThoseOfTheNativeCore(t *testing.T) {
	ctx := context.Background()
	native, wasm := host.Native(session.New()), instance(t)
	links, r := keptLinks(t), rand.New(rand.NewPCG(7, 2026))
	for n := range 200 {
		var p session.ShareEncodeParams
		for i := range 1 + r.IntN(4) {
			from := links[r.IntN(len(links))]
			f := from.Files[r.IntN(len(from.Files))]
			cut := []rune(f.Text)
			p.Files = append(p.Files, session.File{Name: fmt.Sprintf("%d/%s", i, f.Name), Text: strings.Repeat(string(cut[:r.IntN(len(cut)+1)]), 1+r.IntN(30))})
			if n%3 == 0 && from.Run != nil {
				p.Log = from.Run
			}
		}
		var made, same session.ShareEncodeResult
		var opened session.ShareDecodeResult
		if err := host.Call(ctx, wasm, "share.encode", p, &made); err != nil {
			t.Fatal(err)
		}
		if err := host.Call(ctx, native, "share.encode", p, &same); err != nil || same != made {
			t.Fatalf("workspace %d: the module made %s, the native core %s, %v", n, made.Fragment, same.Fragment, err)
		}
		if err := host.Call(ctx, wasm, "share.decode", session.ShareDecodeParams(made), &opened); err != nil || !reflect.DeepEqual(opened.Files, p.Files) || !sameJSON(t, opened.Log, p.Log) {
			t.Fatalf("workspace %d: %q came back as %q, %v", n, p.Files, opened.Files, err)
		}
		at := 3 + r.IntN(len(made.Fragment)-3)
		damaged := made.Fragment[:at] + string("AZaz09-_ %"[r.IntN(10)]) + made.Fragment[at+1:]
		want, got := session.ShareDecodeResult{}, session.ShareDecodeResult{}
		wantErr := host.Call(ctx, native, "share.decode", session.ShareDecodeParams{Fragment: damaged}, &want)
		gotErr := host.Call(ctx, wasm, "share.decode", session.ShareDecodeParams{Fragment: damaged}, &got)
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) || gotErr == nil && !reflect.DeepEqual(got.Files, p.Files) {
			t.Fatalf("workspace %d, damaged at %d: the module says %v, the native core %v", n, at, gotErr, wantErr)
		}
	}
}

func sameJSON(t *testing.T, a, b any) bool {
	t.Helper()
	one, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(one, other)
}
