package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// mcpEnv names the environment variable with the addresses of MCP servers.
const mcpEnv = "STILE_MCP"

// goMCP lists the versions of the Go library whose servers are tested: a name, and the folder in
// build with the go.mod that selects the version.
var goMCP = []struct{ name, folder string }{{"go18", "mcp"}, {"go16", "mcp/legacy"}}

// goMCPServer is the server with which the authors of the Go library test it.
const goMCPServer = "github.com/modelcontextprotocol/go-sdk/conformance/everything-server"

// checkMCP runs the core's MCP client against the servers of the official libraries, of both
// eras of the protocol.
//
//stile:norace runs only with the libraries, as a step
func checkMCP(ctx context.Context, t *tester) (tally, error) {
	folder, err := os.MkdirTemp("", "stile-mcp")
	if err != nil {
		return tally{}, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a temporary folder
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	servers := &mcpServers{t: t}
	defer servers.stop(cancel)
	var group sync.WaitGroup
	faults := make([]error, len(goMCP)+1)
	for i, g := range goMCP {
		group.Go(func() {
			program := filepath.Join(folder, g.name)
			if _, err := t.CommandIn(ctx, filepath.Join("build", filepath.FromSlash(g.folder)), nil, "go", "build", "-o", program, goMCPServer); err != nil {
				faults[i] = err
				return
			}
			faults[i] = servers.startGo(ctx, g.name, program)
		})
	}
	group.Go(func() {
		if faults[len(goMCP)] = t.NPMIn(ctx, "build/peers"); faults[len(goMCP)] == nil {
			faults[len(goMCP)] = errors.Join(servers.startEverything(ctx), servers.startTypeScript(ctx))
		}
	})
	group.Wait()
	if err := errors.Join(faults...); err != nil {
		return tally{}, err
	}
	env, err := t.moduleEnv(ctx, mcpEnv+"="+strings.Join(servers.addresses, " "))
	if err != nil {
		return tally{}, err
	}
	return t.goTest(ctx, env, "-count=1", "-run", "^TestRealMCPServers", "./wasm/host")
}

type mcpServers struct {
	t *tester

	mu        sync.Mutex
	addresses []string // "NAME=ADDRESS"
	running   []*exec.Cmd
}

func (s *mcpServers) add(name, address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addresses = append(s.addresses, name+"="+address)
}

// start starts a program and returns when accept returns true for a line that it prints.
//
//stile:norace runs only with the libraries, as a step
func (s *mcpServers) start(cmd *exec.Cmd, accept func(line string) bool) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = write, write
	if err := errors.Join(cmd.Start(), write.Close()); err != nil {
		return errors.Join(err, read.Close())
	}
	s.mu.Lock()
	s.running = append(s.running, cmd)
	s.mu.Unlock()
	printed := ""
	lines := bufio.NewScanner(read)
	for lines.Scan() {
		if printed += lines.Text() + "\n"; accept(lines.Text()) {
			go func() { _, _ = io.Copy(io.Discard, read) }() // a full pipe would stop the program
			return nil
		}
	}
	return errors.Join(fmt.Errorf("the MCP server %s did not start:\n%s", filepath.Base(cmd.Path), checkout.Tail(printed, 20)), read.Close())
}

func (s *mcpServers) stop(cancel func()) {
	cancel()
	for _, cmd := range s.running {
		_ = cmd.Wait() // it was killed
	}
}

// startEverything starts the reference server of version 1 of the TypeScript library, which
// has sessions.
func (s *mcpServers) startEverything(ctx context.Context) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "node", filepath.Join("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), "streamableHttp")
	cmd.Dir = s.t.Path("build", "peers")
	cmd.Env = append(os.Environ(), "PORT="+strconv.Itoa(port))
	s.add("everything", fmt.Sprintf("http://127.0.0.1:%d/mcp", port))
	return s.start(cmd, func(line string) bool { return strings.Contains(line, "listening on port") })
}

// startTypeScript starts servers of version 2 of the TypeScript library.
func (s *mcpServers) startTypeScript(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "node", "mcp.mjs")
	cmd.Dir = s.t.Path("build", "peers")
	return s.start(cmd, func(line string) bool {
		name, address, ok := strings.Cut(line, " http://")
		if ok {
			s.add(name, "http://"+address)
		}
		return name == "modern"
	})
}

// startGo starts a server of the Go library and waits until it accepts connections, because the
// server prints its address before it listens.
func (s *mcpServers) startGo(ctx context.Context, name, program string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	if err := s.start(exec.CommandContext(ctx, program, "-http", address), func(line string) bool { return strings.Contains(line, "listening at") }); err != nil {
		return err
	}
	for {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			s.add(name, "http://"+address)
			return connection.Close()
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// freePort returns a port that is free, for programs that cannot choose one.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return listener.Addr().(*net.TCPAddr).Port, listener.Close()
}
