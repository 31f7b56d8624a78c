package solve

import (
	"fmt"
	"slices"
	"strings"
)

// smtOptions are the supported options. All others are refused, because some of Z3's
// options write files, read a clock or start threads.
var smtOptions = map[string]bool{
	":produce-models": true, ":produce-unsat-cores": true, ":print-success": false, ":random-seed": true, ":opt.priority": true, ":opt.elim_01": true,
	":opt.maxsat_engine": true, ":opt.optsmt_engine": true, ":smt.arith.solver": true, ":smt.random_seed": true, ":sat.random_seed": true, ":model.completion": true,
	":smt.core.minimize": true, ":sat.core.minimize": true, ":smt.phase_selection": true, ":produce-assignments": true, ":auto_config": true,
}

// smtIgnored are options that do not change the answer or that the run sets itself. They
// are removed with a warning. A name that ends with a dot is a module of Z3; its options
// in smtHarmful are refused nevertheless.
var smtIgnored = []struct{ name, why string }{
	{":print-success", "acknowledgements are not printed"},
	{":produce-proofs", ""}, {":produce-assertions", ""}, {":produce-unsat-assumptions", ""}, {":produce-interpolants", ""}, {":interactive-mode", ""}, {":verbosity", ""}, {":verbose", ""},
	{":reproducible-resource-limit", ""}, {":auto-config", ""}, {":model-validate", ""}, {":model_validate", ""}, {":model_compress", ""}, {":proof", ""}, {":stats", ""}, {":type_check", ""},
	{":well_sorted_check", ""}, {":unsat_core", ""}, {":model", ""}, {":debug_ref_count", ""}, {":smtlib2_compliant", ""}, {":encoding", ""}, {":warning", ""}, {":error-behavior", ""},
	{":mbqi", ""}, {":relevancy", ""}, {":case-split", ""}, {":macro-finder", ""}, {":pull-nested-quantifiers", ""}, {":minimize-lemmas", ""}, {":arith", ""},
	{":pp.", ""}, {":smt.", ""}, {":sat.", ""}, {":nlsat.", ""}, {":rewriter.", ""}, {":model.", ""}, {":model_evaluator.", ""}, {":combined_solver.", ""}, {":parser.", ""},
}

// smtHarmful are parts of the names of options that write files, start threads or read a
// clock.
var smtHarmful = []string{"file", "log", "dump", "prefix", "thread", "timeout", "trace", "channel", "memory", "rlimit", "path", "restricted"}

// ignored returns the reason for ignoring an option, false if it is not ignored.
func ignored(name string) (why string, ok bool) {
	harms := func(part string) bool { return strings.Contains(name, part) }
	if slices.ContainsFunc(smtHarmful, harms) {
		return "", false
	}
	for _, o := range smtIgnored {
		if o.name == name || strings.HasSuffix(o.name, ".") && strings.HasPrefix(name, o.name) {
			why = o.why
			if why == "" {
				why = "it does not change the answer"
			}
			return why, true
		}
	}
	return "", false
}

func (c *smtChecker) option(form *term) {
	at, args := form.items[0].span, form.items[1:]
	if len(args) == 0 || args[0].kind != termKeyword {
		c.found.report(at, "smt.form", "expected the name of an option, as in (set-option :produce-models true)")
		return
	}
	option := &args[0]
	switch {
	case smtOptions[option.text]:
		if c.takes(at, "set-option", args, 2, 2) && option.text == ":opt.priority" {
			c.p.priority = args[1].text
		}
	case strings.Contains(option.text, "timeout"):
		c.found.report(option.span, "smt.forbidden", "%s needs a thread and would block Z3 in the page; set the time limit in the settings", option.text)
	case strings.Contains(option.text, "rlimit") || strings.Contains(option.text, "memory"):
		c.found.report(option.span, "smt.forbidden", "%s belongs in the settings", option.text)
	case option.text == ":regular-output-channel" || option.text == ":diagnostic-output-channel":
		c.found.report(option.span, "smt.forbidden", "%s would write a file", option.text)
	case option.text == ":print-success" && len(args) == 2 && args[1].is("false"):
	default:
		if why, ok := ignored(option.text); ok {
			c.p.prints = append(c.p.prints, form.span)
			c.found.warn(option.span, "smt.option", "option %s is ignored: %s", option.text, why)
			return
		}
		var known []string
		for name := range smtOptions {
			known = append(known, name)
		}
		for _, o := range smtIgnored {
			known = append(known, o.name)
		}
		slices.Sort(known)
		d := option.unknown("smt.forbidden", "option", known)
		d.Message = fmt.Sprintf("unsupported option %s; only options that cannot write files, read a clock or start threads are accepted", option.text)
		if len(d.Fixes) > 0 {
			d.Message = fmt.Sprintf("unknown option %s; did you mean %s?", option.text, d.Fixes[0].Edits[0].Text)
		}
		c.found.add(d)
	}
}
