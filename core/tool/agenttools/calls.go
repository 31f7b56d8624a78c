package agenttools

// RemoteCall is one kind of request that the declared tools send. A person reviews the list
// before the first run of a workspace from elsewhere.
type RemoteCall struct {
	Tool    string `json:"tool"`           // the tool's name; "" for an MCP server, which lists its tools at run time
	Method  string `json:"method"`         // of HTTP; "*": any
	Address string `json:"address"`        // of the server; requests go to it and to paths below it
	Path    string `json:"path,omitempty"` // relative to the address, with {parameters}
	Auth    string `json:"auth,omitempty"` // the endpoint whose key the host adds
}

// Calls returns every kind of request that the tools send, in the order of the declaration.
// Local tools such as a calculator or a person send none.
func (d *Declaration) Calls() []RemoteCall {
	var out []RemoteCall
	for _, e := range d.entries {
		switch {
		case e.wikipedia != nil:
			w := e.wikipedia.Filled()
			for _, name := range e.names() {
				out = append(out, RemoteCall{Tool: name, Method: "GET", Address: w.URL, Auth: w.Auth})
			}
		case e.mcp != nil:
			out = append(out, RemoteCall{Method: "*", Address: e.mcp.URL, Auth: e.mcp.Auth})
		case e.http != nil:
			for _, t := range e.http.operations {
				out = append(out, RemoteCall{Tool: t.Name(), Method: t.HTTPMethod, Address: t.URL, Path: t.Path, Auth: t.Auth})
			}
		}
	}
	return out
}
