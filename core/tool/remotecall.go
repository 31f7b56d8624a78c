package tool

// RemoteCall is one kind of request that a declaration's tools make. A person reads the
// list of them before the first run of a workspace that came from elsewhere.
type RemoteCall struct {
	Tool    string `json:"tool"`           // the tool's name; "" for an MCP server, whose tools are known when it is asked
	Method  string `json:"method"`         // of HTTP; "*" is any
	Address string `json:"address"`        // the server's; requests go to it and below it
	Path    string `json:"path,omitempty"` // below the address, with {parameters}
	Auth    string `json:"auth,omitempty"` // the endpoint whose key goes with the request
}

// Calls returns every kind of request that the tools make, in the order of the
// declaration. Tools that stay on the device, a calculator or a person, make none.
func (d *Declaration) Calls() []RemoteCall {
	var out []RemoteCall
	for _, e := range d.entries {
		switch {
		case e.wikipedia != nil:
			search, lookup := NewWikipedia(*e.wikipedia)
			address := e.wikipedia.URL
			if address == "" {
				address = WikipediaURL("")
			}
			for _, c := range []Callable{search, lookup} {
				out = append(out, RemoteCall{Tool: c.Name(), Method: "GET", Address: address, Auth: e.wikipedia.Auth})
			}
		case e.mcp != nil:
			out = append(out, RemoteCall{Method: "*", Address: e.mcp.URL, Auth: e.mcp.Auth})
		case e.http != nil:
			for _, t := range e.http.operations {
				out = append(out, RemoteCall{Tool: t.name, Method: t.method, Address: t.URL, Path: t.path, Auth: t.Auth})
			}
		}
	}
	return out
}
