package toolserver

import (
	"encoding/json"
	"strings"
)

// page is a page of the wiki. Its texts are written for the tests; the facts in
// them are those of the transcripts of Yao et al. (2022) and Crouse et al. (2024).
type page struct {
	title     string
	text      string // plain, headings marked as MediaWiki marks them
	html      string // the result of action=parse
	ambiguous bool
}

var pages = []page{
	{title: "Milhouse Van Houten", text: "Milhouse Mussolini Van Houten is a recurring character in The Simpsons. He is Bart's best friend. He has blue hair. He lives in Springfield. He wears red glasses. He was there from the start.\n\n\n== Role ==\nHe is often bullied.\n\n== Creation ==\nMilhouse was named after U.S. president Richard Nixon, whose middle name was Milhous. The name was the most \"unfortunate\" one Matt Groening could think of. A toy was named after him, too.",
		html: "<div class=\"mw-parser-output\"><table class=\"infobox\"><tr><td>Voiced by</td></tr></table><p><b>Milhouse Mussolini Van Houten</b> is a recurring character in <i>The Simpsons</i>.<sup class=\"reference\">[1]</sup> He is Bart&#39;s best friend.</p><h2>Creation</h2><p>Milhouse was named after U.S. president Richard Nixon, whose middle name was Milhous.</p></div>"},
	{title: "High Plains (United States)", text: "The High Plains are a subregion of the Great Plains. From east to west, the High Plains rise in elevation from around 1,800 to 7,000 ft (550 to 2,130 m)."},
	{title: "High Plains", text: "High Plains may refer to:\n\nHigh Plains (United States), a subregion\nHigh Plains Drifter, a film", ambiguous: true},
	{title: "Mercury", text: "Mercury most commonly refers to many things.", ambiguous: true},
	{title: "Mercury (planet)", text: "Mercury is the first planet from the Sun. It is small."},
	{title: "Unmarked", text: "Unmarked may refer to:\n\nUnmarked (album)\nUnmarked (film)"},
	{title: "Empty", text: ""},
}

// redirects maps the title of each redirect to the title of its target.
var redirects = map[string]string{"Milhouse": "Milhouse Van Houten", "Bart's friend": "Milhouse Van Houten"}

func findPage(title string) *page {
	for i, p := range pages {
		if p.title == title {
			return &pages[i]
		}
	}
	return nil
}

// wiki implements the part of MediaWiki's api.php that the tools use.
func (x *exchange) wiki() {
	q := x.URL.Query()
	if q.Get("origin") != "*" {
		x.out.Header().Del("Access-Control-Allow-Origin") // as MediaWiki does
	}
	reply := func(v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		x.json(200, string(raw))
	}
	type object = map[string]any
	if q.Get("format") != "json" || q.Get("formatversion") != "2" {
		reply(object{"error": object{"code": "format", "info": "this test wiki supports only format=json&formatversion=2"}})
		return
	}
	switch {
	case q.Get("action") == "parse":
		title := q.Get("page")
		if to, ok := redirects[title]; ok {
			title = to
		}
		p := findPage(title)
		if p == nil {
			reply(object{"error": object{"code": "missingtitle", "info": "The page you specified doesn't exist."}})
			return
		}
		html := p.html
		if html == "" {
			html = "<p>" + strings.ReplaceAll(p.text, "\n", "</p><p>") + "</p>"
		}
		reply(object{"parse": object{"title": p.title, "text": html}})
	case q.Get("list") == "search":
		x.search(q.Get("srsearch"), q.Get("srwhat"), reply)
	default:
		title := q.Get("titles")
		if title != "" {
			title = strings.ToUpper(title[:1]) + title[1:]
		}
		if to, ok := redirects[title]; ok {
			title = to
		}
		entry := object{"ns": 0, "title": title}
		p := findPage(title)
		switch {
		case strings.ContainsAny(title, "<>[]{}#"):
			entry["invalid"], entry["invalidreason"] = true, "The requested page title contains invalid characters."
		case p == nil:
			entry["missing"] = true
		default:
			entry["pageid"] = 1
			if p.ambiguous {
				entry["pageprops"] = object{"disambiguation": ""}
			}
			if x.options["mode"] != "plain" && strings.Contains(q.Get("prop"), "extracts") {
				entry["extract"] = p.text
			}
		}
		reply(object{"batchcomplete": true, "query": object{"pages": []object{entry}}})
	}
}

// search returns the pages that contain all words, or the page with the same title, ignoring case.
func (x *exchange) search(text, what string, reply func(any)) {
	found := []map[string]any{}
	words := strings.Fields(strings.ToLower(text))
	for _, p := range pages {
		hit := strings.EqualFold(p.title, text)
		if what == "" {
			hit = len(words) > 0
			for _, w := range words {
				hit = hit && strings.Contains(strings.ToLower(p.title+" "+p.text), w)
			}
		}
		if hit {
			found = append(found, map[string]any{"ns": 0, "title": p.title})
		}
	}
	reply(map[string]any{"query": map[string]any{"search": found}})
}
