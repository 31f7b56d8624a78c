package collector

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/stile-playground/stile/core/backtest"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/workspace"
)

// Values of [Config.Fallback].
const (
	FallbackTrace = "trace_id" // the trace is the session
	FallbackNone  = "none"     // the span is not judged, and its verdict is unread
)

// Config is the configuration of the processor.
type Config struct {
	// Specs are files and folders with .agent, .ltl and .rules files.
	Specs []string `mapstructure:"specs"`
	// SessionAttributes name attributes of a span, then of its resource; the first that is present names the session.
	SessionAttributes []string `mapstructure:"session_attributes"`
	// Fallback is the session of a trace in which no span has such an attribute.
	Fallback string `mapstructure:"fallback"`
	// Prefixes of attributes select the spans to judge. Other spans pass without delay.
	Prefixes []string `mapstructure:"prefixes"`
	// Wait is the time for which the spans of a trace are collected after its first one arrived.
	Wait time.Duration `mapstructure:"wait"`
	// Idle is the time after which a session without spans is evicted.
	Idle time.Duration `mapstructure:"idle"`

	MaxSessions     int `mapstructure:"max_sessions"`      // sessions in memory
	MaxSessionBytes int `mapstructure:"max_session_bytes"` // of the spans of a session, as JSON
	MaxBytes        int `mapstructure:"max_bytes"`         // of the spans of all sessions
	MaxWaiting      int `mapstructure:"max_waiting"`       // spans that are collected or could not be delivered
	Remember        int `mapstructure:"remember"`          // evicted sessions that are recognised if they return
}

func defaultConfig() *Config {
	return &Config{
		SessionAttributes: []string{"gen_ai.conversation.id"}, Fallback: FallbackTrace,
		Prefixes: []string{"gen_ai.", "ai.", "llm.", "openinference.", "traceloop.", "langfuse.", "langsmith."},
		Wait:     2 * time.Second, Idle: 30 * time.Minute,
		MaxSessions: 10_000, MaxSessionBytes: 4 << 20, MaxBytes: 256 << 20, MaxWaiting: 100_000, Remember: 1_000_000,
	}
}

// Validate reports the invalid fields. It reads and compiles the specs.
func (c *Config) Validate() error {
	var faults []error
	if c.Fallback != FallbackTrace && c.Fallback != FallbackNone {
		faults = append(faults, fmt.Errorf("fallback: unknown value %q; expected %s or %s", c.Fallback, FallbackTrace, FallbackNone))
	}
	if c.Fallback == FallbackNone && len(c.SessionAttributes) == 0 {
		faults = append(faults, errors.New("session_attributes: expected an attribute, because fallback is none"))
	}
	if len(c.Prefixes) == 0 || slices.Contains(c.Prefixes, "") {
		faults = append(faults, errors.New("prefixes: expected prefixes of attributes that are not empty"))
	}
	if c.Wait <= 0 || c.Idle <= c.Wait {
		faults = append(faults, fmt.Errorf("wait and idle: expected 0 < wait < idle, not %s and %s", c.Wait, c.Idle))
	}
	for _, limit := range []struct {
		name  string
		value int
	}{{"max_sessions", c.MaxSessions}, {"max_session_bytes", c.MaxSessionBytes}, {"max_bytes", c.MaxBytes}, {"max_waiting", c.MaxWaiting}, {"remember", c.Remember}} {
		if limit.value <= 0 {
			faults = append(faults, fmt.Errorf("%s: expected a positive number, not %d", limit.name, limit.value))
		}
	}
	if c.MaxBytes < c.MaxSessionBytes {
		faults = append(faults, errors.New("max_bytes: expected at least max_session_bytes"))
	}
	if _, err := c.open(); err != nil {
		faults = append(faults, fmt.Errorf("specs: %w", err))
	}
	return errors.Join(faults...)
}

// open reads and compiles the specs.
func (c *Config) open() (*backtest.Specs, error) {
	if len(c.Specs) == 0 {
		return nil, errors.New("expected the name of an .agent or .rules file")
	}
	var files []workspace.File
	for _, root := range c.Specs {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || name != root && workspace.KindOf(name) == workspace.KindText {
				return err
			}
			text, err := os.ReadFile(name)
			base := filepath.Base(name)
			if err == nil && slices.ContainsFunc(files, func(f workspace.File) bool { return f.Name == base }) {
				err = fmt.Errorf("two specs have the name %s; rename one of them", base)
			}
			files = append(files, workspace.File{Name: base, Text: string(text)})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return backtest.Open(language.Table(), files)
}
