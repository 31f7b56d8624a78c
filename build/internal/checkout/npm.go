package checkout

import (
	"context"
	"os"
	"strings"
)

// NPM installs the packages that the site requires. The test browser and the other
// development packages of web are left to NPMTests.
func (d Dir) NPM(ctx context.Context) error { return d.NPMIn(ctx, "web", "--omit=dev") }

// NPMTests installs all packages of web: those that [Dir.NPM] installs, the test browser and the
// TypeScript compiler.
func (d Dir) NPMTests(ctx context.Context) error { return d.NPMIn(ctx, "web") }

// NPMIn installs the packages that the package-lock.json of a folder names, unless all
// of them are already installed.
func (d Dir) NPMIn(ctx context.Context, folder string, options ...string) error {
	lock, err := os.ReadFile(d.Path(folder, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := d.Path(folder, "node_modules", ".stile-lock")
	all := Hash(lock)
	wanted := strings.Join(append([]string{all}, options...), " ")
	if done, err := os.ReadFile(stamp); err == nil && (string(done) == all || string(done) == wanted) {
		return nil
	}
	defer Progress("installing the npm packages of " + folder)()
	if _, err := d.CommandIn(ctx, folder, nil, "npm", append([]string{"ci", "--no-audit", "--no-fund", "--loglevel=error"}, options...)...); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(wanted), 0o644)
}
