package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// mcpEnv names the environment variable with the address of an MCP server.
const mcpEnv = "STILE_MCP"

// checkMCP has the core's MCP client talk to the protocol's reference server, whose tools
// cover the protocol.
func checkMCP(ctx context.Context, t *tester) (tally, error) {
	if err := t.NPMIn(ctx, "build/peers"); err != nil {
		return tally{}, err
	}
	address, stop, err := t.startMCP(ctx)
	if err != nil {
		return tally{}, err
	}
	defer stop()
	env, err := t.moduleEnv(ctx, mcpEnv+"="+address)
	if err != nil {
		return tally{}, err
	}
	return t.goTest(ctx, env, "-count=1", "-run", "^TestRealMCPServer", "./wasm/host")
}

// startMCP starts the server and returns its address once it listens. The server requires
// a port, so startMCP finds a free one.
func (t *tester) startMCP(ctx context.Context) (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	cmd := exec.CommandContext(ctx, "node", filepath.Join("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), "streamableHttp")
	cmd.Dir = t.Path("build", "peers")
	cmd.Env = append(os.Environ(), "PORT="+strconv.Itoa(port))
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return "", nil, err
	}
	stop = func() {
		cancel()
		_ = cmd.Wait() // it was killed
	}
	printed := ""
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if printed += lines.Text() + "\n"; strings.Contains(lines.Text(), "listening on port") {
			return fmt.Sprintf("http://127.0.0.1:%d/mcp", port), stop, nil
		}
	}
	stop()
	return "", nil, fmt.Errorf("the MCP server of build/peers did not start:\n%s", checkout.Tail(printed, 20))
}
