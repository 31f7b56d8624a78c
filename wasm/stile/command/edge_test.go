package command

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// A file with a forbidden call never passes, however it is encoded, packed or cut off: the call is
// found, or the file is refused by its name.
func TestNoFalsePassOfDamagedFiles(t *testing.T) {
	bad := conversation("lookup", "delete_all")
	chunk := func(delta string) string {
		return `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + "}]}\n\n"
	}
	stream := chunk(`{"role":"assistant","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"delete_all","arguments":""}}]}`) +
		chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}`) + "data: [DONE]\n\n"
	wide := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(bad)) {
		wide = binary.LittleEndian.AppendUint16(wide, unit)
	}
	packed := zipOf(t, map[string]string{"b.json": bad})
	zipped := gzipOf(t, strings.Repeat(conversation("lookup")+"\n", 200)+bad)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"truncated.json": bad[:len(bad)-30], "bom.json": "\ufeff" + bad, "bom.jsonl": "\ufeff" + bad + "\n" + bad + "\n",
		"crlf.jsonl": bad + "\r\n" + bad + "\r\n", "cr.jsonl": bad + "\r" + bad + "\r", "half.jsonl": conversation("lookup") + "\n" + bad[:99],
		"blank.jsonl": "\n\n" + bad + "\n\n", "two.json": conversation("lookup") + bad, "tail.json": bad + " and more", "nul.json": bad + "\x00",
		"utf16.json": string(wide), "latin1.json": strings.Replace(bad, "refund A7", "caf\xe9", 1), "empty.json": "", "space.json": " \n\t", "comma.json": "[" + bad + ",]",
		"a.zip": packed, "a.ZIP": packed, "nested.zip": zipOf(t, map[string]string{"in.zip": packed}), "gz.zip": zipOf(t, map[string]string{"b.json.gz": gzipOf(t, bad)}),
		"cut.zip": packed[:len(packed)-20], "none.zip": zipOf(t, nil), "zip.json": packed, "gz.json": zipped,
		"a.json.gz": gzipOf(t, bad), "a.jsonl.GZ": zipped, "cut.jsonl.gz": zipped[:len(zipped)-9], "joined.jsonl.gz": gzipOf(t, conversation("lookup")+"\n") + gzipOf(t, bad),
		"twice.json": strings.Replace(conversation("lookup"), `"name":"lookup"`, `"name":"lookup","name":"delete_all"`, 1),
		"list.json":  strings.Replace(bad, `"messages"`, `"messages":[],"messages"`, 1),
		"sse.txt":    stream, "crlf.txt": strings.ReplaceAll(stream, "\n", "\r\n"), "ping.txt": ": ping\n\n" + stream, "cut.txt": stream[:len(stream)-60],
		"data.txt": "data: " + bad[:40] + "\ndata: " + bad[40:] + "\n\n", "console.txt": strings.ReplaceAll(bad, `"`, "'"), "shortened.txt": "{ messages: [ { role: 'user', content: 'x' }, ... 2 more items ] }",
		"deep.json": strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "null.json": "null", "object.json": "{}",
		"events.jsonl": `{"kind":"call","name":"delete_all","fields":{}}` + "\n" + `{"kind":"call","na`,
	} {
		for _, spec := range []struct{ name, text string }{{"shop.agent", shopAgent}, {"shop.rules", "never: !delete_all()\n"}} {
			paths := []string{filepath.Join(dir, spec.name), filepath.Join(dir, "traces", name)}
			for i, text := range []string{spec.text, text} {
				if os.MkdirAll(filepath.Dir(paths[i]), 0o755) != nil || os.WriteFile(paths[i], []byte(text), 0o644) != nil {
					t.Fatal("not written")
				}
			}
			out, errs, code := stile("", "check", paths[0], paths[1])
			if code == Pass || code == Error && !strings.Contains(errs, "no runs were found") || code == Fail && !strings.Contains(out, name) {
				t.Errorf("%s of %s: code %d\n%s%s", spec.name, name, code, out, errs)
			}
		}
	}
}
