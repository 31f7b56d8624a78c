package web

import "strings"

// CheckURL returns the fault of a server's address, or "".
func CheckURL(url string) string {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(url, "http://")
	}
	host, _, _ := strings.Cut(rest, "/")
	switch {
	case !ok:
		return "expected https:// or http://"
	case host == "" || strings.ContainsAny(url, " \t\r\n\"<>\\^`{|}#"):
		return "malformed address"
	case strings.Contains(host, "@"):
		return "remove the name and password; set \"auth\" to the name of an endpoint"
	}
	return ""
}

// Host returns the host of an address, for messages.
func Host(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// resolveURL returns the target of a Location header, an address or an absolute path. It
// rejects other forms and redirects from https to http.
func resolveURL(base, location string) (string, bool) {
	if strings.HasPrefix(location, "/") && !strings.HasPrefix(location, "//") {
		scheme, _, _ := strings.Cut(base, "://")
		location = scheme + "://" + Host(base) + location
	}
	if CheckURL(location) != "" || strings.HasPrefix(base, "https:") && !strings.HasPrefix(location, "https:") {
		return "", false
	}
	return location, true
}

// Escape percent-encodes a text for any part of an address (RFC 3986, section 2.3).
func Escape(text string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '.', c == '_', c == '~':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// Query formats names and values as a query string.
func Query(pairs [][2]string) string {
	parts := make([]string, len(pairs))
	for i, p := range pairs {
		parts[i] = Escape(p[0]) + "=" + Escape(p[1])
	}
	return strings.Join(parts, "&")
}

// WithQuery appends a query to an address, which may have one already.
func WithQuery(url, query string) string {
	switch {
	case query == "":
		return url
	case strings.Contains(url, "?"):
		return url + "&" + query
	}
	return url + "?" + query
}
