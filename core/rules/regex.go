package rules

import "regexp"

// matcher searches a text for a regular expression.
type matcher interface{ MatchString(text string) bool }

func compileRegex(pattern string) (matcher, error) { return regexp.Compile(pattern) }
