package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// MaxRuns bounds the runs that a session keeps. A page shows one and compares a few; more
// are runs that nobody stopped.
const MaxRuns = 64

// logVersion is the version of [RunLog]. From version 2 on, a log records where a run cancelled a
// stream, so that a cancelled stream differs from one that was interrupted with its run. A log of
// version 3 belongs to a workspace with a formula of which only some conjuncts are enforced; runs
// of version 2 enforced none of them. A change of the rules by which a run decides on answers needs
// no version: an entry of the log marks where it first made a difference (see
// [process.Env.Revise]).
const logVersion = 3

// runBudget bounds a complete run. It is large, because a run shows its progress and can
// be cancelled at every slice.
var runBudget = meter.Budget{Steps: 1 << 36, States: 1 << 28, Tokens: 10_000_000, Calls: 10_000, Money: 100}

// labBudget bounds an experiment, which consists of many runs, with the calls of simulated models. The
// requests to endpoints have a smaller bound, which a person sets.
var labBudget = meter.Budget{Steps: 1 << 42, States: 1 << 28, Tokens: 2_000_000_000, Calls: 2_000_000, Money: 10_000}

// RunLog is a recorded run: with the same workspace it replays without a key and without
// a network.
type RunLog struct {
	Version  int              `json:"version"`
	Kind     string           `json:"kind"`
	Name     string           `json:"name"` // of the spec in the workspace
	Seed     uint64           `json:"seed"`
	Settings json.RawMessage  `json:"settings"`
	Answers  []process.Answer `json:"answers"`
}

// RunWorkspace is the workspace of a run and the name of its spec; an empty name selects
// the workspace's main file.
type RunWorkspace struct {
	Files []File `json:"files"`
	Name  string `json:"name,omitempty"`
}

// RunStartParams start a run. Kind "" selects the default of the spec's notation: "plan"
// for a grammar, "monitor" for an agent. With a log the run begins by replaying it.
type RunStartParams struct {
	Kind      string          `json:"kind,omitempty"`
	Workspace RunWorkspace    `json:"workspace"`
	Settings  json.RawMessage `json:"settings,omitempty"`
	Seed      uint64          `json:"seed,omitempty"`
	Log       *RunLog         `json:"log,omitempty"`
	Ceiling   meter.Budget    `json:"ceiling,omitzero"` // of the requests to endpoints, instead of the defaults; 0: the default
}

// RunStartResult has the number of the started run.
type RunStartResult struct {
	Run int `json:"run"`
}

// RunResumeParams answer effects and give a run a slice of work; Slice 0 means
// [process.DefaultSlice] steps.
type RunResumeParams struct {
	Run     int              `json:"run"`
	Answers []process.Answer `json:"answers,omitempty"`
	Slice   int64            `json:"slice,omitempty"`
}

// RunResumeResult is the output of a run. The host performs and answers Effects, aborts
// those in Cancel, and resumes a run in state "working" without answers.
type RunResumeResult struct {
	Effects []process.Effect  `json:"effects"`
	Cancel  []string          `json:"cancel"`
	Events  []json.RawMessage `json:"events"`
	State   process.State     `json:"state"`
	Result  json.RawMessage   `json:"result,omitempty"`
	Error   *Error            `json:"error,omitempty"`
}

// RunParams name a run.
type RunParams struct {
	Run int `json:"run"`
}

// RunLogParams name a run. From is the index of the first answer to return.
type RunLogParams struct {
	Run  int `json:"run"`
	From int `json:"from,omitempty"`
}

// RunLogResult is the recording of a run so far.
type RunLogResult struct {
	Log RunLog `json:"log"`
}

// RunForkParams start a new run from the first At answers of an old one, optionally with
// other settings.
type RunForkParams struct {
	Run      int             `json:"run"`
	At       int             `json:"at"`
	Settings json.RawMessage `json:"settings,omitempty"`
}

type run struct {
	log       RunLog // without answers
	workspace workspace.Workspace
	file      workspace.File
	process   *process.Process
	replayed  bool         // it began with a log
	ceiling   meter.Budget // of the caller
	unpriced  error        // of [checkPrices], which the first request after the log returns
}

func runMethods() []Method {
	return []Method{
		method("run.start", (*Session).runStart),
		method("run.resume", (*Session).runResume),
		method("run.log", (*Session).runLog),
		pure("run.defaults", runDefaults),
		method("run.estimate", (*Session).runEstimate),
		method("run.fork", (*Session).runFork),
		method("run.stop", (*Session).runStop),
	}
}

func (s *Session) runStart(p RunStartParams) (RunStartResult, error) {
	w := s.project(p.Workspace.Files)
	if err := w.Check(); err != nil {
		return RunStartResult{}, err
	}
	if p.Ceiling.Negative() {
		return RunStartResult{}, source.NewError("run.ceiling", "negative ceiling of a run")
	}
	r := run{ceiling: p.Ceiling, workspace: w.Workspace, log: RunLog{Version: 2, Kind: p.Kind, Name: p.Workspace.Name, Seed: p.Seed, Settings: p.Settings}}
	var answers []process.Answer
	if p.Log != nil {
		if p.Log.Version < 1 || p.Log.Version > logVersion {
			return RunStartResult{}, source.NewError("run.version", fmt.Sprintf("unsupported version %d of a recorded run", p.Log.Version))
		}
		r.log, answers = *p.Log, p.Log.Answers
		r.log.Answers = nil
		if r.log.Version > 1 {
			answers = process.Settled(answers)
		}
		if answers == nil {
			answers = []process.Answer{}
		}
	} else if err := llm.CheckSecrets(p.Settings); err != nil {
		return RunStartResult{}, err
	}
	var file workspace.File
	if r.log.Kind == "" || needsSpec(r.log.Kind, r.log.Name != "") {
		if r.log.Name == "" {
			r.log.Name = w.Main()
		}
		var ok bool
		if file, ok = w.File(r.log.Name); !ok {
			return RunStartResult{}, missingFile(r.log.Name, w.Workspace)
		}
	}
	if p.Log == nil {
		r.log.Settings = withWording(kindOf(r.log.Kind, w, file), r.log.Settings)
	}
	agreed := consent{recorded: r.log.Version < versionFor(w) && len(answers) > 0}
	kind, body, err := runBody(r.log.Kind, w, file, r.log.Settings, agreed)
	if err == nil {
		err = checkPrices(kind, w, file, r.log.Settings, p.Ceiling)
		if len(answers) > 0 {
			r.unpriced, err = err, nil
		}
	}
	if err != nil {
		return RunStartResult{}, err
	}
	r.log.Version, r.log.Kind, r.file = 2, kind, file
	if !agreed.recorded {
		r.log.Version = versionFor(w)
	}
	return s.begin(r, body, answers)
}

// versionFor returns the version of the log of a new run.
func versionFor(w project) int {
	if language.HasPartlyJudged(w.table, w.Files) {
		return logVersion
	}
	return 2
}

// begin gives the run a number and a new process, because a model or a tool may have
// state.
func (s *Session) begin(r run, body process.Func, answers []process.Answer) (RunStartResult, error) {
	if len(s.runs) >= MaxRuns {
		return RunStartResult{}, source.NewError("limit.runs", fmt.Sprintf("%d runs are in progress; stop one first", MaxRuns))
	}
	r.replayed = answers != nil
	budget := runBudget
	if r.log.Kind == RunLab {
		budget = labBudget
	}
	r.process = process.New(body, r.log.Seed, budget, answers)
	r.process.SetCeiling(ceilingFor(r.log.Kind, r.log.Settings, r.ceiling))
	s.lastRun++
	s.runs[s.lastRun] = &r
	return RunStartResult{Run: s.lastRun}, nil
}

func (s *Session) find(number int) (*run, error) {
	r, ok := s.runs[number]
	if !ok {
		return nil, source.NewError("run.unknown", fmt.Sprintf("unknown run %d: it was stopped, or the module was restarted", number))
	}
	return r, nil
}

func (s *Session) runResume(p RunResumeParams) (RunResumeResult, error) {
	r, err := s.find(p.Run)
	if err != nil {
		return RunResumeResult{}, err
	}
	out, err := r.process.Resume(p.Answers, p.Slice)
	if err != nil {
		return RunResumeResult{}, source.NewError("run.effect", err.Error())
	}
	result := RunResumeResult{
		Effects: orEmpty(out.Effects), Cancel: orEmpty(out.Cancel), Events: orEmpty(out.Events),
		State: out.State, Result: out.Result,
	}
	if out.Err != nil {
		result.Error = runError(out.Err)
	}
	if r.unpriced != nil && slices.ContainsFunc(out.Effects, func(e process.Effect) bool { return e.HTTP != nil && strings.HasPrefix(e.HTTP.Auth, "endpoint:") }) {
		result.Effects, result.Cancel = []process.Effect{}, orEmpty(r.process.Stop().Cancel)
		result.State, result.Error = process.StateFailed, wireError(r.unpriced)
	}
	return result, nil
}

// runError is [wireError] with the codes of a mismatched log and of a failed effect.
func runError(err error) *Error {
	out := wireError(err)
	var log *process.LogError
	var effect *process.EffectError
	switch {
	case out.Code != "internal":
	case errors.As(err, &log):
		out.Code = "run.log"
	case errors.As(err, &effect):
		out.Code = "effect." + effect.Code
	}
	return out
}

func (s *Session) runLog(p RunLogParams) (RunLogResult, error) {
	r, err := s.find(p.Run)
	if err != nil {
		return RunLogResult{}, err
	}
	log := r.log
	answers := r.process.Log()
	if p.From < 0 || p.From > len(answers) {
		return RunLogResult{}, source.NewError("run.at", fmt.Sprintf("answer %[3]d out of range: run %[1]d has %[2]d answers", p.Run, len(answers), p.From))
	}
	log.Answers = orEmpty(answers[p.From:])
	return RunLogResult{Log: log}, nil
}

func (s *Session) runFork(p RunForkParams) (RunStartResult, error) {
	r, err := s.find(p.Run)
	if err != nil {
		return RunStartResult{}, err
	}
	answers := r.process.Log()
	if p.At < 0 || p.At > len(answers) {
		return RunStartResult{}, source.NewError("run.at", fmt.Sprintf("run %d has %d answers; it cannot be forked after %d", p.Run, len(answers), p.At))
	}
	fork := *r
	if len(p.Settings) > 0 {
		fork.log.Settings = p.Settings
		if wordingOf(r.log.Settings) != "" {
			fork.log.Settings = withWording(r.log.Kind, p.Settings)
		}
	}
	fork.log.Version = versionFor(s.project(fork.workspace.Files))
	_, body, err := runBody(fork.log.Kind, s.project(fork.workspace.Files), fork.file, fork.log.Settings, consent{})
	if err == nil && len(p.Settings) > 0 {
		err = checkPrices(fork.log.Kind, s.project(fork.workspace.Files), fork.file, p.Settings, fork.ceiling)
		fork.unpriced = nil
	}
	if err != nil {
		return RunStartResult{}, err
	}
	kept := process.Settled(answers[:p.At:p.At])
	if kept == nil && r.replayed {
		kept = []process.Answer{}
	}
	return s.begin(fork, body, kept)
}

func (s *Session) runStop(p RunParams) (RunResumeResult, error) {
	r, err := s.find(p.Run)
	if err != nil {
		return RunResumeResult{}, err
	}
	out := r.process.Stop()
	delete(s.runs, p.Run)
	return RunResumeResult{
		Effects: []process.Effect{}, Cancel: orEmpty(out.Cancel), Events: orEmpty(out.Events), State: out.State,
	}, nil
}

// orEmpty returns an empty list for nil, which is an array on the wire.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func missingFile(name string, w workspace.Workspace) error {
	var names []string
	for _, f := range w.Files {
		names = append(names, f.Name)
	}
	message := fmt.Sprintf("unknown file %q", name)
	if near := source.Nearest(name, names); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return source.NewError("workspace.missing", message)
}
