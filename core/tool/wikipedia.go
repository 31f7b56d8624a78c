package tool

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
)

// Wikipedia is where pages are searched, as the agents of ReAct do it (Yao et al.,
// 2022, appendix; Crouse et al., 2024, section 5): Search gives the first sentences
// of the page with a title, or similar titles, and Lookup gives the sentences of
// that page that have a text, one a call.
//
// The pages come from the MediaWiki API, which answers any page of the web where
// origin=* is asked for. A wiki without the extension that gives plain texts is
// asked for HTML instead.
type Wikipedia struct {
	Remote           // of api.php
	Search    string // the names of the tools; "" for Search and Lookup
	Lookup    string
	Sentences int  // that Search gives; 0: five
	Similar   int  // how many titles it gives; 0: five
	HTML      bool // ask for HTML at once
}

// WikipediaURL returns the address of the API of Wikipedia in a language, "" for
// English.
func WikipediaURL(language string) string {
	if language == "" {
		language = "en"
	}
	return "https://" + language + ".wikipedia.org/w/api.php"
}

// maxPage is how many bytes of a page are kept: the longest articles have half of
// that.
const maxPage = 2 << 20

// NewWikipedia returns the tools Search and Lookup, which share the page that was
// found last.
func NewWikipedia(w Wikipedia) (search, lookup Callable) {
	if w.URL == "" {
		w.URL = WikipediaURL("")
	}
	if w.Search == "" {
		w.Search = "Search"
	}
	if w.Lookup == "" {
		w.Lookup = "Lookup"
	}
	if w.Sentences == 0 {
		w.Sentences = 5
	}
	if w.Similar == 0 {
		w.Similar = 5
	}
	r := &wiki{Wikipedia: w}
	return wikiSearch{r}, wikiLookup{r}
}

// wiki is what a run knows of the pages it read.
type wiki struct {
	Wikipedia
	title     string
	sentences []string // of the page
	open      bool     // there is a page
	keyword   string   // that was looked up last
	found     []int    // the sentences with it
	given     int      // of those
}

type wikiSearch struct{ *wiki }

// Name implements [Callable].
func (s wikiSearch) Name() string { return s.Wikipedia.Search }

// Description implements [Callable].
func (s wikiSearch) Description() string {
	return "Finds the Wikipedia page with a title and gives its first sentences, or titles that are similar if there is no such page."
}

// Schema implements [Callable].
func (s wikiSearch) Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"entity":{"type":"string","minLength":1,"maxLength":300,"description":"the title of a page"}},"required":["entity"],"additionalProperties":false}`)
}

// Call implements [Callable].
func (s wikiSearch) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	var a struct{ Entity string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return "", faultf(CodeArguments, "arguments: %s", err)
	}
	return s.search(env, strings.TrimSpace(a.Entity))
}

type wikiLookup struct{ *wiki }

// Name implements [Callable].
func (l wikiLookup) Name() string { return l.Wikipedia.Lookup }

// Description implements [Callable].
func (l wikiLookup) Description() string {
	return "Gives the next sentence with a text in the page that " + l.Wikipedia.Search + " found last; call it again for the one after."
}

// Schema implements [Callable].
func (l wikiLookup) Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":300,"description":"what the sentence has to contain"}},"required":["text"],"additionalProperties":false}`)
}

// Call implements [Callable].
func (l wikiLookup) Call(_ *process.Env, arguments json.RawMessage) (string, error) {
	var a struct{ Text string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return "", faultf(CodeArguments, "arguments: %s", err)
	}
	return l.lookup(strings.TrimSpace(a.Text))
}

// lookup gives the next sentence with a text. The same text again goes on; another
// begins anew.
func (w *wiki) lookup(keyword string) (string, error) {
	if !w.open {
		return "", faultf(CodeLookup, "there is no page to look in; call %s first", w.Wikipedia.Search)
	}
	folded := strings.ToLower(keyword)
	if folded != w.keyword {
		w.keyword, w.found, w.given = folded, nil, 0
		for i, s := range w.sentences {
			if strings.Contains(strings.ToLower(s), folded) {
				w.found = append(w.found, i)
			}
		}
	}
	if w.given == len(w.found) {
		if len(w.found) == 0 {
			return fmt.Sprintf("No results for %q in %q.", keyword, w.title), nil
		}
		return "No more results.", nil
	}
	w.given++
	return fmt.Sprintf("(Result %d / %d) %s", w.given, len(w.found), w.sentences[w.found[w.given-1]]), nil
}

// wikiPage is a page as the API tells it.
type wikiPage struct {
	Title     string
	Missing   bool
	Invalid   bool
	Extract   *string
	PageProps struct {
		Disambiguation *string
	}
}

func (w *wiki) search(env *process.Env, entity string) (string, error) {
	page, err := w.page(env, entity)
	if err != nil {
		return "", err
	}
	if page.Missing || page.Invalid {
		// Whatever only case and accents tell apart is meant.
		titles, err := w.titles(env, entity, "nearmatch", 1)
		var fault *CallFault
		if err != nil && !(errors.As(err, &fault) && fault.Code == CodeAnswer) {
			return "", err
		}
		if len(titles) > 0 {
			if page, err = w.page(env, titles[0]); err != nil {
				return "", err
			}
		}
	}
	if page.Missing || page.Invalid || page.PageProps.Disambiguation != nil {
		return w.similar(env, entity, page.Title)
	}
	text := ""
	if page.Extract != nil {
		text = *page.Extract
	} else if text, err = w.html(env, page.Title); err != nil {
		return "", err
	}
	if len(text) > maxPage {
		text, _ = Cut(text, maxPage)
	}
	all := sentences(withoutHeadings(text))
	if isListOfMeanings(all) {
		return w.similar(env, entity, page.Title)
	}
	w.open, w.title, w.sentences = true, page.Title, all
	w.keyword, w.found, w.given = "", nil, 0
	if len(all) == 0 {
		return fmt.Sprintf("The page %q has no text.", page.Title), nil
	}
	return strings.Join(all[:min(len(all), w.Wikipedia.Sentences)], " "), nil
}

// isListOfMeanings tells a page that only lists what a title may refer to, on
// wikis that do not mark such pages.
func isListOfMeanings(all []string) bool {
	return len(all) > 1 && (strings.HasSuffix(all[0], "may refer to:") || strings.HasSuffix(all[0], "may also refer to:") || strings.HasSuffix(all[0], "can refer to:"))
}

// similar names titles in the place of a page.
func (w *wiki) similar(env *process.Env, entity, but string) (string, error) {
	titles, err := w.titles(env, entity, "", w.Similar+1)
	if err != nil {
		return "", err
	}
	var names []string
	for _, t := range titles {
		if t != but && len(names) < w.Similar {
			names = append(names, "'"+t+"'")
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("Could not find %s. Nothing similar was found.", entity), nil
	}
	return fmt.Sprintf("Could not find %s. Similar: [%s].", entity, strings.Join(names, ", ")), nil
}

// page asks for the page of a title, after redirects.
func (w *wiki) page(env *process.Env, title string) (wikiPage, error) {
	pairs := [][2]string{{"action", "query"}, {"prop", "extracts|pageprops"}, {"ppprop", "disambiguation"}, {"explaintext", "1"}, {"exsectionformat", "wiki"}, {"redirects", "1"}, {"titles", oneTitle(title)}}
	if w.HTML {
		pairs[1][1] = "pageprops"
	}
	var answer struct {
		Query struct{ Pages []wikiPage }
	}
	if err := w.ask(env, pairs, &answer); err != nil {
		return wikiPage{}, err
	}
	if len(answer.Query.Pages) == 0 {
		return wikiPage{Title: title, Invalid: true}, nil
	}
	return answer.Query.Pages[0], nil
}

// oneTitle takes out what separates titles, and what an address may not have.
func oneTitle(title string) string {
	return strings.Map(func(c rune) rune {
		if c == '|' || c == '\x1f' || c < ' ' {
			return ' '
		}
		return c
	}, title)
}

// titles searches pages. kind is how: "" in texts and titles, or "nearmatch".
func (w *wiki) titles(env *process.Env, entity, kind string, most int) ([]string, error) {
	pairs := [][2]string{{"action", "query"}, {"list", "search"}, {"srsearch", entity}, {"srlimit", fmt.Sprint(most)}, {"srprop", ""}}
	if kind != "" {
		pairs = append(pairs, [2]string{"srwhat", kind})
	}
	var answer struct {
		Query struct{ Search []struct{ Title string } }
	}
	if err := w.ask(env, pairs, &answer); err != nil {
		return nil, err
	}
	var out []string
	for _, found := range answer.Query.Search {
		out = append(out, found.Title)
	}
	return out, nil
}

// html asks for a page as HTML and returns its text.
func (w *wiki) html(env *process.Env, title string) (string, error) {
	var answer struct{ Parse struct{ Text string } }
	err := w.ask(env, [][2]string{{"action", "parse"}, {"page", oneTitle(title)}, {"prop", "text"}, {"redirects", "1"}, {"disableeditsection", "1"}, {"disabletoc", "1"}}, &answer)
	if err != nil {
		return "", err
	}
	html := answer.Parse.Text
	if len(html) > 8*maxPage {
		html = html[:8*maxPage]
	}
	return htmlText(html), nil
}

// ask performs a request of the API and reads its answer.
func (w *wiki) ask(env *process.Env, pairs [][2]string, answer any) error {
	pairs = append(pairs, [2]string{"format", "json"}, [2]string{"formatversion", "2"}, [2]string{"origin", "*"})
	value, err := fetch(env, w.request("GET", withQuery(w.URL, query(pairs))))
	if err != nil {
		return err
	}
	var fault struct {
		Error *struct{ Code, Info string }
	}
	body := []byte(value.Body)
	if err := json.Unmarshal(body, &fault); err != nil {
		return faultf(CodeAnswer, "%s gave no answer of a wiki, but %s", hostOf(w.URL), oneLine(value.Headers["content-type"], value.Body))
	}
	if fault.Error != nil {
		f := faultf(CodeAnswer, "%s refuses: %s", hostOf(w.URL), fault.Error.Info)
		f.Transient = fault.Error.Code == "maxlag" || fault.Error.Code == "ratelimited"
		return f
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return faultf(CodeAnswer, "%s gave another answer than a wiki does: %s", hostOf(w.URL), err)
	}
	return nil
}

// withoutHeadings drops the headings of a page's plain text, "== Early life ==".
func withoutHeadings(text string) string {
	if !strings.Contains(text, "==") {
		return text
	}
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if !(strings.HasPrefix(line, "==") && strings.HasSuffix(strings.TrimSpace(line), "==")) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
