package docs

import (
	"html"
	"regexp"
	"strings"
)

// colours returns the comments, strings, numbers and keywords of a text in a
// programming language.
var colours = map[string]*regexp.Regexp{
	"go": regexp.MustCompile(`(?P<comment>//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*"|` + "`[^`]*`" + `)|(?P<number>\b\d[\d_.]*\b)|` +
		`(?P<keyword>\b(?:break|case|const|continue|default|defer|else|for|func|go|if|import|interface|map|nil|package|range|return|struct|switch|true|false|type|var)\b)`),
	"js": regexp.MustCompile(`(?P<comment>//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<number>\b\d[\d_.]*\b)|` +
		`(?P<keyword>\b(?:await|const|else|export|for|from|function|if|import|let|new|null|of|return|true|false|try|catch)\b)`),
	"json": regexp.MustCompile(`(?P<terminal>"(?:\\.|[^"\\\n])*"\s*:)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<number>-?\b\d[\d.]*\b)|(?P<keyword>\b(?:true|false|null)\b)`),
	"sh":   regexp.MustCompile(`(?P<comment>(?:^|\n)#[^\n]*)|(?P<string>'[^']*'|"(?:\\.|[^"\\])*")|(?P<operator>(?:^|\n)\$ )`),
	"html": regexp.MustCompile(`(?P<comment><!--[\s\S]*?-->)|(?P<keyword></?[a-z][\w-]*|/?>)|(?P<string>"[^"]*")`),
	"toml": regexp.MustCompile(`(?P<comment>#[^\n]*)|(?P<string>"[^"]*")|(?P<keyword>(?:^|\n)\[[^\n]*\])|(?P<number>\b\d[\d_.]*\b)`),
}

// languageNames are the names of languages that screen readers read out.
var languageNames = map[string]string{"go": "Go", "js": "JavaScript", "json": "JSON", "sh": "Commands", "html": "HTML", "toml": "TOML", "md": "Markdown"}

func codeName(language string) string {
	if name := languageNames[language]; name != "" {
		return name
	}
	return "Text"
}

// coloured returns code as HTML.
func coloured(language, text string) string {
	text = strings.TrimRight(text, "\n")
	colour := colours[language]
	if colour == nil {
		return html.EscapeString(text)
	}
	var b strings.Builder
	done := 0
	for _, at := range colour.FindAllStringSubmatchIndex(text, -1) {
		for group, name := range colour.SubexpNames() {
			if group == 0 || at[2*group] < 0 {
				continue
			}
			b.WriteString(html.EscapeString(text[done:at[0]]) + `<span class="t-` + name + `">` + html.EscapeString(text[at[0]:at[1]]) + "</span>")
			done = at[1]
		}
	}
	return b.String() + html.EscapeString(text[done:])
}
