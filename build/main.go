// Command build is Stile's only build tool:
//
//	go run ./build serve     # build everything and serve the playground
//	go run ./build test      # run every check
//	go run ./build help      # the other verbs
//
// Each verb sets up its other tools itself: it requires only Go and Node.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// verb is a command of the tool.
type verb struct {
	name, args, does string
	run              func(ctx context.Context, repo repo, args []string) error
}

func verbs() []verb {
	return []verb{
		{"serve", "[-port N] [-watch=false]", "build everything and serve the playground; rebuilds when a file changes", serveVerb},
		{"site", "[-worker URL] [-downloads] [-forget]", "build the static site into dist/", siteVerb},
		{"worker", "", "build the optional Cloudflare worker into .cache/worker/, for wrangler", workerVerb},
		{"test", "[-long] [-update] [STEP…]", "check everything, or only the steps named", testVerb},
		{"call", "[--wasm] METHOD", "read a JSON object of parameters per line of standard input, write a reply per line", callVerb},
		{"check", "FOLDER | ARCHIVE…", "run the tests of specs in workspaces, as `stile test` does; fail unless all of them pass", checkVerb},
		{"lab", "[-form FORM] [-tasks N] [-concurrent N] [-calls N] [-endpoint URL -model M [-format F] [-key VARIABLE]] [NAME… | all]", "run ready experiments with simulated models, and an endpoint where one is given, and print their tables", labVerb},
		{"bench", "[FLAG…] [core | page [PART…] | solve [N] [DOMAIN…] | worker | memory | PATTERN]", "report every figure that has a target, next to other tools and earlier runs, or the figures of a section; or run the benchmarks that match a pattern", benchVerb},
		{"prose", "[-counts] [FOLDER | FILE]…", "report phrases that the house style rejects, or count them and compare with Go's standard library", proseVerb},
		{"gen", "[-check]", "write the files that are generated from the core's types and the header table", genVerb},
	}
}

// errUsage reports a wrong command line, after the message was printed.
var errUsage = errors.New("usage")

// errFailed reports failed checks, after they were printed.
var errFailed = errors.New("failed")

func main() {
	// The first interrupt ends a verb in an orderly way, the second one at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := dispatch(ctx, os.Args[1:])
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case err == nil:
	case errors.Is(err, errUsage):
		os.Exit(2)
	case errors.Is(err, errFailed):
		os.Exit(1)
	case interrupted:
		os.Exit(130)
	default:
		fmt.Fprintln(os.Stderr, "build: "+err.Error())
		os.Exit(1)
	}
}

func dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		help(os.Stdout)
		if len(args) == 0 {
			return errUsage
		}
		return nil
	}
	if args[0] == standinVerb {
		return runStandin(ctx)
	}
	for _, v := range verbs() {
		if v.name == args[0] {
			r, err := findRepo()
			if err != nil {
				return err
			}
			return v.run(ctx, r, args[1:])
		}
	}
	fmt.Fprintf(os.Stderr, "build: unknown verb %q\n\n", args[0])
	help(os.Stderr)
	return errUsage
}

func help(w io.Writer) {
	fmt.Fprint(w, "usage: go run ./build VERB\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  %-34s %s\n", strings.TrimSpace(v.name+" "+v.args), v.does)
	}
}

// repo is the repository that a verb works in.
type repo struct{ checkout.Dir }

// findRepo looks for the repository from the working directory upwards.
func findRepo() (repo, error) {
	dir, err := checkout.Find()
	return repo{dir}, err
}
