package compile

import (
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/workspace"
)

// maxReported bounds the faults that an error about a schema lists.
const maxReported = 5

// addSchemas adds the schemas of the tools that files of the workspace declare, and these files as sources. A
// declaration that cannot be read, and a keyword that the runtimes cannot check, are errors.
func addSchemas(out *gate.File, files []workspace.File, o Options) error {
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".json") {
			continue
		}
		if _, fault := json.Tree(f.Text); fault != nil {
			return source.NewError("guard.schema", f.Name+": "+fault.Error())
		}
		if f.Name == agenttools.File {
			if _, found := agenttools.Parse(f.Source()); source.HasErrors(found) {
				return notation.Invalid(f.Source(), found)
			}
		}
	}
	contracts := language.Contracts(files)
	if len(contracts.Malformed) > 0 {
		return source.NewError("guard.schema", "the schema of the tool "+contracts.Malformed[0]+" is not an object")
	}
	seen := map[string]string{}
	for i := range contracts.List {
		c := &contracts.List[i]
		if c.Input == nil {
			continue
		}
		s, faults := c.Program(o.Unchecked)
		if len(faults) > 0 {
			return source.NewError("guard.schema", c.File+": the schema of "+c.Tool+": "+shorten(faults)+". Remove the keyword, or name it as unchecked")
		}
		name, text := c.File+": "+c.Tool, string(c.Input.Append(nil))
		if seen[name] == text {
			continue // the file declares it twice
		}
		for seen[name] != "" {
			name += " again"
		}
		seen[name] = text
		s.Name = name
		out.Schemas = append(out.Schemas, *s)
		declared := func(s gate.Source) bool { return s.Name == c.File }
		i := slices.IndexFunc(files, func(f workspace.File) bool { return f.Name == c.File })
		if i >= 0 && !slices.ContainsFunc(out.Sources, declared) {
			out.Sources = append(out.Sources, sourceOf(files[i], o))
		}
	}
	return nil
}

func shorten(faults []string) string {
	if len(faults) > maxReported {
		faults = append(faults[:maxReported:maxReported], "more")
	}
	return strings.Join(faults, "; ")
}
