package session

import (
	"fmt"
	"slices"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/workspace"
)

// Default ceilings of the requests to endpoints: of a run, and of a comparison or a benchmark,
// which consist of many runs. An experiment has that of [lab.DefaultCeiling].
var (
	runCeiling  = meter.Budget{Calls: 200, Tokens: 1_000_000, Money: 2}
	manyCeiling = meter.Budget{Calls: 2_000, Tokens: 8_000_000, Money: 10}
)

// ceilingFor returns the ceiling of a kind of run: the given bounds, and for the others those of the
// budget of the settings, which does not count repeated requests, and the defaults. The budget of a
// comparison or a benchmark replaces the defaults only.
func ceilingFor(kind string, settings json.RawMessage, given meter.Budget) meter.Budget {
	budget := budgetIn(settings)
	switch kind {
	case RunLab:
		return given // the experiment has the default
	case RunBenchmark, RunCompare:
		return given.Or(manyCeiling.Without(budget))
	}
	return given.Or(budget).Or(runCeiling)
}

// budgetIn returns the budget in settings.
func budgetIn(settings json.RawMessage) meter.Budget {
	var set struct {
		Budget meter.Budget `json:"budget"`
	}
	if len(settings) > 0 && json.Unmarshal(settings, &set) != nil {
		return meter.Budget{}
	}
	return set.Budget
}

// checkPrices returns an error with the code "run.price" if the settings or a given ceiling bound dollars and an
// endpoint's price is unknown, because such a bound would never end the run. The error of an
// experiment, whose file can bound dollars too, is that of [lab.Experiment.CheckPrices].
func checkPrices(kind string, w project, file workspace.File, settings json.RawMessage, given meter.Budget) error {
	if kind == RunLab {
		x, err := openLab(w, file.Name)
		if err != nil {
			return err
		}
		var set lab.Settings
		if err := decodeParams(settings, &set); err != nil {
			return err
		}
		if given.Money > 0 {
			set.Budget = &given
		}
		return x.CheckPrices(set)
	}
	if budgetIn(settings).Money == 0 && given.Money == 0 {
		return nil
	}
	for _, e := range endpointsIn(settings) {
		if !e.PriceKnown() {
			return source.NewError("run.price", fmt.Sprintf("unknown price of %q: a budget of dollars cannot bound the run; set the price of the endpoint, or a budget of calls or tokens", e.Model))
		}
	}
	return nil
}

// endpointsIn returns the endpoints of the models in settings.
func endpointsIn(settings json.RawMessage) (out []llm.Endpoint) {
	var list []json.RawMessage
	if json.Unmarshal(settings, &list) == nil {
		for _, item := range list {
			out = append(out, endpointsIn(item)...)
		}
		return out
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(settings, &fields) != nil {
		return nil
	}
	var spec llm.Spec
	if json.Unmarshal(settings, &spec) == nil && spec.Kind == llm.KindEndpoint && spec.Endpoint != nil {
		return []llm.Endpoint{*spec.Endpoint}
	}
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, endpointsIn(fields[name])...)
	}
	return out
}
