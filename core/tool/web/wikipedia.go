package web

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/tool"
)

// Wikipedia configures two tools of the ReAct agents (Yao et al., 2022, appendix; Crouse et
// al., 2024, section 5). Search returns the first sentences of the page with a title, or
// similar titles. Lookup returns the sentences of that page that contain a text, one per
// call.
//
// The pages come from the MediaWiki API, which allows requests from any web page with
// origin=*. If a wiki lacks the extension for plain text, Search requests HTML instead.
type Wikipedia struct {
	Remote           // the address of api.php
	Search    string // the names of the tools; "": Search and Lookup
	Lookup    string
	Sentences int  // in a result of Search; 0: five
	Similar   int  // titles in a result of Search; 0: five
	HTML      bool // always request HTML
}

// WikipediaURL returns the address of Wikipedia's API for a language; "": English.
func WikipediaURL(language string) string {
	if language == "" {
		language = "en"
	}
	return "https://" + language + ".wikipedia.org/w/api.php"
}

// Filled returns the configuration with the defaults instead of zeros.
func (w Wikipedia) Filled() Wikipedia {
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
	return w
}

// maxPage is the maximum size of the text of a page in bytes; the longest articles have half this size.
const maxPage = 2 << 20

// NewWikipedia returns the tools Search and Lookup, which share the last page found.
func NewWikipedia(w Wikipedia) (search, lookup tool.Callable) {
	r := &wiki{Wikipedia: w.Filled()}
	return wikiSearch{r}, wikiLookup{r}
}

// wiki is the state of the two tools in a run.
type wiki struct {
	Wikipedia
	title     string
	sentences []string // of the last page found
	open      bool     // a page was found
	keyword   string   // of the last lookup
	found     []int    // the sentences that contain keyword
	given     int      // how many of found were returned
}

type wikiSearch struct{ *wiki }

// Name implements [tool.Callable].
func (s wikiSearch) Name() string { return s.Wikipedia.Search }

// Description implements [tool.Callable].
func (s wikiSearch) Description() string {
	return "Finds the Wikipedia page with a title and gives its first sentences, or titles that are similar if there is no such page."
}

// Schema implements [tool.Callable].
func (s wikiSearch) Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"entity":{"type":"string","minLength":1,"maxLength":300,"description":"the title of a page"}},"required":["entity"],"additionalProperties":false}`)
}

// Call implements [tool.Callable].
func (s wikiSearch) Call(env *process.Env, arguments json.RawMessage) (string, error) {
	var a struct{ Entity string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return "", tool.Faultf(tool.CodeArguments, "arguments: %s", err)
	}
	return s.search(env, strings.TrimSpace(a.Entity))
}

type wikiLookup struct{ *wiki }

// Name implements [tool.Callable].
func (l wikiLookup) Name() string { return l.Wikipedia.Lookup }

// Description implements [tool.Callable].
func (l wikiLookup) Description() string {
	return "Gives the next sentence with a text in the page that " + l.Wikipedia.Search + " found last; call it again for the one after."
}

// Schema implements [tool.Callable].
func (l wikiLookup) Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"text":{"type":"string","minLength":1,"maxLength":300,"description":"what the sentence has to contain"}},"required":["text"],"additionalProperties":false}`)
}

// Call implements [tool.Callable].
func (l wikiLookup) Call(_ *process.Env, arguments json.RawMessage) (string, error) {
	var a struct{ Text string }
	if err := json.Unmarshal(arguments, &a); err != nil {
		return "", tool.Faultf(tool.CodeArguments, "arguments: %s", err)
	}
	return l.lookup(strings.TrimSpace(a.Text))
}

// lookup returns the next sentence that contains a text. A repeated text continues the
// lookup; another text starts a new one.
func (w *wiki) lookup(keyword string) (string, error) {
	if !w.open {
		return "", tool.Faultf(tool.CodeLookup, "no page has been found yet; call %s first", w.Wikipedia.Search)
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

// wikiPage is a page in the API's answer.
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
		// The titles may differ in case and accents only.
		titles, err := w.titles(env, entity, "nearmatch", 1)
		var fault *tool.CallFault
		if err != nil && !(errors.As(err, &fault) && fault.Code == tool.CodeAnswer) {
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
	text, _ = tool.Cut(text, maxPage)
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

// isListOfMeanings reports whether a page is a disambiguation page, on wikis that do not
// mark them.
func isListOfMeanings(all []string) bool {
	return len(all) > 1 && (strings.HasSuffix(all[0], "may refer to:") || strings.HasSuffix(all[0], "may also refer to:") || strings.HasSuffix(all[0], "can refer to:"))
}

// similar returns the titles that are similar to an entity.
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

// page requests the page with a title and follows redirects.
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

// oneTitle replaces control characters, and the characters that separate titles.
func oneTitle(title string) string {
	return strings.Map(func(c rune) rune {
		if c == '|' || c < ' ' {
			return ' '
		}
		return c
	}, title)
}

// titles searches for pages. kind "" searches texts and titles, "nearmatch" only titles.
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

// html requests a page as HTML and returns its text.
func (w *wiki) html(env *process.Env, title string) (string, error) {
	var answer struct{ Parse struct{ Text string } }
	err := w.ask(env, [][2]string{{"action", "parse"}, {"page", oneTitle(title)}, {"prop", "text"}, {"redirects", "1"}, {"disableeditsection", "1"}, {"disabletoc", "1"}}, &answer)
	if err != nil {
		return "", err
	}
	html := answer.Parse.Text
	return htmlText(html[:min(len(html), 8*maxPage)]), nil
}

// ask performs a request to the API and decodes the answer.
func (w *wiki) ask(env *process.Env, pairs [][2]string, answer any) error {
	pairs = append(pairs, [2]string{"format", "json"}, [2]string{"formatversion", "2"}, [2]string{"origin", "*"})
	value, err := Fetch(env, w.Request("GET", WithQuery(w.URL, Query(pairs))))
	if err != nil {
		return err
	}
	var fault struct {
		Error *struct{ Code, Info string }
	}
	body := []byte(value.Body)
	if err := json.Unmarshal(body, &fault); err != nil {
		return tool.Faultf(tool.CodeAnswer, "expected the answer of a wiki from %s, got %s", Host(w.URL), Line(value.Headers["content-type"], value.Body))
	}
	if fault.Error != nil {
		f := tool.Faultf(tool.CodeAnswer, "%s refuses: %s", Host(w.URL), fault.Error.Info)
		f.Transient = fault.Error.Code == "maxlag" || fault.Error.Code == "ratelimited"
		return f
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return tool.Faultf(tool.CodeAnswer, "unexpected answer of the wiki %s: %s", Host(w.URL), err)
	}
	return nil
}

// withoutHeadings removes the headings of a page's plain text, "== Early life ==".
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
