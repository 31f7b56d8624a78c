// Package host runs the core's module under wazero and performs the effects of
// its runs. It is for tests, the build tool and Go programs that run the page's module; programs
// that link the core do not need it.
package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// Module is a compiled module that creates instances. It is safe for concurrent use.
type Module struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	cache    wazero.CompilationCache
}

// Options of [Compile].
type Options struct {
	// CacheDir stores compiled code between programs: compiling takes seconds, loading a tenth of
	// a second. Empty disables the cache.
	CacheDir string
}

// Compile compiles a module. Cancelling ctx does not interrupt a running call: an interruptible
// runtime is several times slower, and the core returns after every slice.
func Compile(ctx context.Context, module []byte, o Options) (*Module, error) {
	m := &Module{}
	config := wazero.NewRuntimeConfig()
	if o.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(o.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("open the cache of compiled code: %w", err)
		}
		m.cache = cache
		config = config.WithCompilationCache(cache)
	}
	m.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return nil, errors.Join(err, m.Close(ctx))
	}
	var err error
	if m.compiled, err = m.runtime.CompileModule(ctx, module); err != nil {
		return nil, errors.Join(fmt.Errorf("compile the module: %w", err), m.Close(ctx))
	}
	return m, nil
}

// Close frees the module and all its instances.
func (m *Module) Close(ctx context.Context) error {
	err := m.runtime.Close(ctx)
	if m.cache != nil {
		err = errors.Join(err, m.cache.Close(ctx))
	}
	return err
}

// Instance is one session of the core. Calls are sequential. An instance that trapped is replaced
// at the next call; its runs are lost.
type Instance struct {
	module *Module
	stderr io.Writer

	mu   sync.Mutex
	live *instance
}

// Instance returns a session. The module prints only crash reports, which go to stderr; nil
// discards them.
func (m *Module) Instance(stderr io.Writer) *Instance {
	if stderr == nil {
		stderr = io.Discard
	}
	return &Instance{module: m, stderr: stderr}
}

// instance is a WebAssembly instance with its exports.
type instance struct {
	module                       api.Module
	alloc, free, handle, collect api.Function
}

// TrapError reports that an instance was lost during a call. The next call uses a new instance.
type TrapError struct{ Err error }

// Error returns the runtime's description of the trap.
func (e *TrapError) Error() string { return "the module crashed: " + e.Err.Error() }

// Unwrap returns the runtime's error.
func (e *TrapError) Unwrap() error { return e.Err }

// Handle answers one request of the protocol (see core/session). The error is a [TrapError], or
// the reason why the module did not start.
func (i *Instance) Handle(ctx context.Context, request []byte) ([]byte, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.live == nil {
		live, err := i.module.start(ctx, i.stderr)
		if err != nil {
			return nil, err
		}
		i.live = live
	}
	reply, err := i.live.call(ctx, request)
	if err != nil {
		err = i.lost(ctx, err)
	}
	return reply, err
}

// lost discards an instance that trapped in a call.
func (i *Instance) lost(ctx context.Context, trap error) error {
	err := errors.Join(&TrapError{trap}, i.live.module.Close(ctx))
	i.live = nil
	return err
}

// Close frees the instance.
func (i *Instance) Close(ctx context.Context) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.live == nil {
		return nil
	}
	err := i.live.module.Close(ctx)
	i.live = nil
	return err
}

func (m *Module) start(ctx context.Context, stderr io.Writer) (*instance, error) {
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").
		WithStdout(stderr).WithStderr(stderr).
		WithRandSource(rand.Reader). // for the seeds of Go's maps; the core draws from none
		WithSysNanotime()            // for Go's collector: with a clock that advances only when read, the collector seems to use all the time and delays collections until the memory is full
	module, err := m.runtime.InstantiateModule(ctx, m.compiled, config)
	if err != nil {
		return nil, fmt.Errorf("start the module: %w", err)
	}
	live := &instance{
		module: module,
		alloc:  module.ExportedFunction("alloc"), free: module.ExportedFunction("free"), handle: module.ExportedFunction("handle"),
		collect: module.ExportedFunction("collect"),
	}
	if live.alloc == nil || live.free == nil || live.handle == nil || live.collect == nil {
		return nil, errors.Join(errors.New("the module does not export alloc, free, handle and collect"), module.Close(ctx))
	}
	return live, nil
}

// call never panics because of a module: every pointer is checked.
func (i *instance) call(ctx context.Context, request []byte) ([]byte, error) {
	room, err := one(i.alloc.Call(ctx, uint64(len(request))))
	if err != nil {
		return nil, err
	}
	if !i.module.Memory().Write(uint32(room), request) {
		return nil, fmt.Errorf("alloc returned %d, which is outside the memory", room)
	}
	packed, err := one(i.handle.Call(ctx, room, uint64(len(request))))
	if err != nil {
		return nil, err
	}
	at, size := uint32(packed>>32), uint32(packed)
	view, ok := i.module.Memory().Read(at, size)
	if !ok {
		return nil, fmt.Errorf("the reply of %d bytes at %d is outside the memory", size, at)
	}
	reply := append([]byte(nil), view...)
	_, err = i.free.Call(ctx, uint64(at))
	return reply, err
}

// one returns the only result of a call.
func one(results []uint64, err error) (uint64, error) {
	var exit *sys.ExitError
	switch {
	case errors.As(err, &exit):
		return 0, fmt.Errorf("it exited with code %d", exit.ExitCode())
	case err != nil:
		return 0, err
	case len(results) != 1:
		return 0, fmt.Errorf("an export returned %d results, not one", len(results))
	}
	return results[0], nil
}
