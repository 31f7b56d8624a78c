package draft

import (
	"path"
	"slices"
	"strings"
)

// readFiles returns the files in an answer: fenced blocks with a name after the fence or in
// the line before it, or an archive with "-- name --" lines. open is the name of the last one if its fence is not closed.
func readFiles(text string, languages []string) (out []File, open string) {
	latest := ""
	put := func(name, body string) {
		name = inFolder(name, languages)
		latest = name
		for i := range out {
			if out[i].Name == name {
				out[i].Text = body
				return
			}
		}
		out = append(out, File{Name: name, Text: body})
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	before := ""
	for i := 0; i < len(lines); i++ {
		fence, info := openingFence(lines[i])
		if fence == "" {
			if strings.TrimSpace(lines[i]) != "" {
				before = lines[i]
			}
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != fence {
			end++
		}
		body := lines[i+1 : end]
		latest = ""
		i = end
		if archive := archiveFiles(body, languages); len(archive) > 0 {
			for _, f := range archive {
				put(f.Name, f.Text)
			}
		} else if name := fileName(info, before, languages); name != "" {
			put(name, strings.Join(body, "\n")+"\n")
		}
		before = ""
		if end == len(lines) {
			open = latest
		}
	}
	if len(out) == 0 {
		for _, f := range archiveFiles(lines, languages) {
			put(f.Name, f.Text)
		}
	}
	return out, open
}

// inFolder returns the name of a file; in a draft of a problem, the name begins with the folder.
func inFolder(name string, languages []string) string {
	if slices.Contains(languages, LanguageProblem) {
		return ProblemFolder + "/" + path.Base(name)
	}
	return name
}

// openingFence returns the fence at the beginning of a line and the text after it.
func openingFence(line string) (fence, info string) {
	trimmed := strings.TrimSpace(line)
	n := 0
	for n < len(trimmed) && (trimmed[n] == '`' || trimmed[n] == '~') && trimmed[n] == trimmed[0] {
		n++
	}
	if n < 3 {
		return "", ""
	}
	return trimmed[:n], strings.TrimSpace(trimmed[n:])
}

func archiveFiles(lines []string, languages []string) []File {
	var out []File
	for _, line := range lines {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		if name, ok = cutSuffix(name, " --", ok); ok && wantedFile(name, languages) {
			out = append(out, File{Name: name})
		} else if len(out) > 0 {
			out[len(out)-1].Text += line + "\n"
		}
	}
	return out
}

func cutSuffix(s, suffix string, ok bool) (string, bool) {
	if !ok {
		return s, false
	}
	return strings.CutSuffix(s, suffix)
}

// wantedFile reports whether a name is that of a file in one of the languages.
func wantedFile(name string, languages []string) bool {
	if slices.Contains(languages, LanguageProblem) {
		return slices.Contains(ProblemFiles(), path.Base(name))
	}
	return slices.ContainsFunc(languages, func(l string) bool { return strings.HasSuffix(name, "."+l) && len(name) > len(l)+1 }) &&
		!strings.ContainsAny(name, " /\\")
}

// fileName returns the name of a file from the info string of its fence or from the line before
// the fence.
func fileName(info, before string, languages []string) string {
	for _, text := range []string{info, before} {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t*`:\"'()=,#", r) }) {
			if wantedFile(word, languages) {
				return word
			}
		}
	}
	language, _, _ := strings.Cut(strings.ToLower(info), " ")
	if slices.Contains(languages, LanguageProblem) {
		return "" // the language of a fence does not identify a file of a problem
	}
	if slices.Contains(languages, language) {
		return fileNames[language]
	}
	if info == "" && len(languages) == 1 {
		return fileNames[languages[0]]
	}
	return ""
}
