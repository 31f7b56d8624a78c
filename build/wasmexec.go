package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// wasmVerb runs a WASI program as `go test -exec` wants it: with this program's
// arguments, environment and files.
const wasmVerb = "exec-wasm"

// cacheEnv names the folder in which wazero keeps compiled code.
const cacheEnv = "STILE_WAZERO_CACHE"

func runWASM(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New(wasmVerb + " needs a program")
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	runtimeConfig := wazero.NewRuntimeConfig()
	if dir := os.Getenv(cacheEnv); dir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(dir)
		if err != nil {
			return err
		}
		defer cache.Close(ctx)
		runtimeConfig = runtimeConfig.WithCompilationCache(cache)
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, runtimeConfig)
	defer runtime.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	config := wazero.NewModuleConfig().WithArgs(args...).
		WithStdin(os.Stdin).WithStdout(os.Stdout).WithStderr(os.Stderr).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep().
		WithFSConfig(wazero.NewFSConfig().WithDirMount("/", "/")).
		WithEnv("PWD", dir).WithEnv("TMPDIR", os.TempDir()).WithEnv(longEnv, os.Getenv(longEnv)).WithEnv(effortEnv, os.Getenv(effortEnv))
	_, err = runtime.InstantiateWithConfig(ctx, program, config)
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() == 0 {
			return nil
		}
		return fmt.Errorf("%w with code %d", errFailed, exit.ExitCode())
	}
	return err
}
