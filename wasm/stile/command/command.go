// Package command implements the command stile.
//
// Exit codes fail closed: [Pass] only if runs were found, all of them were understood and
// every rule passes on each; [Fail] if a rule does not pass on some run, or a part of a run
// was not understood; [Error] if nothing could be judged: a wrong command line, a spec with
// errors, no runs, a report that cannot be written.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// Exit codes.
const (
	Pass  = 0
	Fail  = 1
	Error = 2
)

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// verb is a command of stile.
type verb struct {
	name, args, does string
	exits            string // meaning of the exit codes
	run              func(ctx context.Context, s Streams, args []string) (int, error)
}

func verbs() []verb {
	return []verb{
		{"check", "[FLAG…] SPEC… TRACE…", "judge recorded runs by specs", exitCodes, checkVerb},
		{"diff", "[FLAG…] BEFORE AFTER TRACE…", "list the runs that two versions of a spec judge differently", exitCodes, diffVerb},
		{"learn", "[FLAG…] TRACE…", "propose a spec that recorded runs satisfy", doneCodes, learnVerb},
		{"test", "FOLDER | ARCHIVE…", "run the tests of specs", exitCodes, testVerb},
		{"import", "FILE [-o FILE]", "write a grammar or policies of another tool as a spec", doneCodes, importVerb},
		{"compile", "[FLAG…] SPEC… [-o FILE]", "compile specs to a guard", doneCodes, compileVerb},
		{"explain", "FILE.guard", "describe a compiled guard", doneCodes, explainVerb},
		{"hook", "claude|codex [FLAG…] SPEC…", "judge an event of a coding agent's hook on standard input", hookCodes, hookVerb},
		{"mcp-proxy", "[FLAG…] SPEC… -- COMMAND…", "judge the tool calls between an MCP client and a server", serverCodes, mcpProxyVerb},
		{"proxy", "[FLAG…] -upstream URL SPEC…", "serve chat completions whose tool calls are judged", serverCodes, proxyVerb},
		{"verify", "[FLAG…] LOG", "check that no line of a log of decisions is missing or changed", verifyCodes, verifyVerb},
		{"guard", "[FLAG…] SPEC… | FILE.guard", "serve a guard over HTTP on this machine", serverCodes, guardVerb},
		{"mcp", "[FLAG…] SPEC… | FILE.guard", "answer an agent's questions about its specs, as an MCP server", serverCodes, mcpVerb},
		{"version", "", "print the version", doneCodes, versionVerb},
	}
}

// errUsage reports a wrong command line, after the message was printed.
var errUsage = errors.New("usage")

// Run executes a command line and returns the exit code.
func Run(ctx context.Context, args []string, s Streams) int {
	if len(args) == 0 {
		help(s.Err)
		return Error
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		help(s.Out)
		return Pass
	}
	for _, v := range verbs() {
		if v.name != args[0] {
			continue
		}
		code, err := v.run(ctx, s, args[1:])
		switch {
		case err == nil:
			return code
		case errors.Is(err, flag.ErrHelp):
			return Pass
		case !errors.Is(err, errUsage):
			fmt.Fprintln(s.Err, "stile: "+err.Error())
		}
		return Error
	}
	fmt.Fprintf(s.Err, "stile: unknown command %q\n\n", args[0])
	help(s.Err)
	return Error
}

func help(w io.Writer) {
	fmt.Fprint(w, "usage: stile COMMAND\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  %-40s %s\n", strings.TrimSpace(v.name+" "+v.args), v.does)
	}
	fmt.Fprint(w, `
A SPEC is a file in a notation of Stile (.agent, .ltl, .rules, …), or a folder with such files. A
TRACE is any other file, a folder or a .zip archive of traces, or - for standard input;
a file that ends in .jsonl, .ndjson or .gz is read line by line where each line is a run.
`+exitCodes+`
The exit codes are those of check, diff and test. "stile COMMAND -h" lists the flags of a command and its
exit codes.
`)
}

const exitCodes = `
Exit code 0: all runs pass all rules. 1: some run does not, or was not understood.
2: nothing was judged (a wrong command line, a spec with errors, no runs).
`

const (
	doneCodes   = "\nExit code 0: done. 2: not done; standard error has the reason.\n"
	serverCodes = "\nExit code 0: the server was ended. 2: it could not start, or failed; standard error has the reason.\n"
	hookCodes   = "\nExit code 0: the event was judged; standard output has a refusal, if any.\n2: the event was not judged, and the agent blocks it; standard error has the reason.\n"
	verifyCodes = "\nExit code 0: the log is complete. 1: a line is missing, changed, repeated or in another order.\n2: nothing was verified (a wrong command line, no log).\n"
)

// newFlags returns the flags of a command, whose usage message goes to standard error.
func newFlags(s Streams, name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(s.Err)
	flags.Usage = func() {
		exits := ""
		for _, v := range verbs() {
			if v.name == name {
				exits = v.exits
				fmt.Fprintf(s.Err, "usage: stile %s %s\n", v.name, v.args)
			}
		}
		flags.PrintDefaults()
		fmt.Fprint(s.Err, exits)
	}
	return flags
}

// parse parses flags before, between and after the other arguments, which
// it returns. "--" ends the flags.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, errUsage
		}
		ended := len(args) > flags.NArg() && args[len(args)-flags.NArg()-1] == "--"
		args = flags.Args()
		if len(args) == 0 || ended {
			return append(rest, args...), nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// Version returns the version of the module that the command was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	if version == "" || version == "(devel)" {
		version = "development"
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				version = s.Value[:12]
			}
		}
	}
	return version
}

func versionVerb(_ context.Context, s Streams, args []string) (int, error) {
	if len(args) > 0 {
		fmt.Fprintln(s.Err, "usage: stile version")
		return Error, errUsage
	}
	fmt.Fprintln(s.Out, "stile "+Version())
	return Pass, nil
}

// writeFile writes a file by a function. An error in any step is returned, so that a report
// that was not saved does not pass.
func writeFile(name string, write func(w io.Writer) error) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
