package worker

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Config is the configuration of a deployment, from the vars in wrangler.toml.
type Config struct {
	Site    *url.URL // of the page, with a path that ends in "/"
	Self    *url.URL // of the worker; nil means the host of the request
	Embed   *url.URL // of the page that draws one workspace in a frame
	Origins []string // the origins that may call the worker from a browser
	Hosts   []string // the hosts that the relay calls
}

// Parse reads the configuration: the variables SITE (required), SELF, EMBED,
// ORIGINS and RELAY_HOSTS, the last two separated by spaces. It rejects hosts through which the
// relay could reach a private network.
func Parse(variable func(name string) string) (Config, error) {
	var c Config
	var err error
	if c.Site, err = parsePlace("SITE", variable("SITE")); err != nil {
		return c, err
	}
	c.Site.Path = strings.TrimSuffix(c.Site.Path, "/") + "/"
	if text := variable("SELF"); text != "" {
		if c.Self, err = parsePlace("SELF", text); err != nil {
			return c, err
		}
	}
	c.Embed = c.Site.JoinPath("embed.html")
	if text := variable("EMBED"); text != "" {
		if c.Embed, err = parsePlace("EMBED", text); err != nil {
			return c, err
		}
	}
	c.Origins = []string{originOf(c.Site)}
	for _, text := range strings.Fields(variable("ORIGINS")) {
		u, err := parsePlace("ORIGINS", text)
		if err != nil {
			return c, err
		}
		if originOf(u) != text {
			return c, fmt.Errorf("ORIGINS: %q is not an origin like https://example.org: omit its path and use lower case", text)
		}
		c.Origins = append(c.Origins, text)
	}
	for _, host := range strings.Fields(variable("RELAY_HOSTS")) {
		if fault := hostFault(host); fault != "" {
			return c, fmt.Errorf("RELAY_HOSTS: %q %s; the relay calls public host names only", host, fault)
		}
		if host == c.Site.Host || c.Self != nil && host == c.Self.Host {
			return c, fmt.Errorf("RELAY_HOSTS: %q is this site; the relay would call itself endlessly", host)
		}
		c.Hosts = append(c.Hosts, host)
	}
	return c, nil
}

// parsePlace reads an address of ours: http or https, without query and fragment.
func parsePlace(name, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Host != strings.ToLower(u.Host) || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s: %q is not an address like https://example.org/", name, text)
	}
	return u, nil
}

// originOf returns the origin of an address, as browsers send it.
func originOf(u *url.URL) string {
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host)
}

// inward lists the endings of names that never resolve to a public host.
var inward = []string{"localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "arpa", "onion", "invalid"}

// hostFault returns the reason why a name cannot belong to a public host, or "". It accepts only
// lower case letters, digits and hyphens, which excludes literal addresses, ports, users and
// alternative spellings.
func hostFault(host string) string {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	switch {
	case len(host) > 253:
		return "is too long"
	case strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "":
		return "has a character that no host name has"
	case slices.Contains(inward, last):
		return "is an internal name"
	case len(labels) < 2 || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") != "":
		return "is not a name under a public ending"
	}
	for _, label := range labels {
		switch {
		case label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-':
			return "has a part that no host name has"
		case strings.HasPrefix(label, "xn--"):
			return "is spelled in punycode, which can look like another name"
		}
	}
	return ""
}
