package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/stile-playground/stile/core/backtest"
)

// sarifReport is a log in the Static Analysis Results Interchange Format 2.1.0 (OASIS
// Standard, 2020), which code hosts show next to the lines.
type sarifReport struct {
	rules []backtest.Rule
	found []finding
}

func (r *sarifReport) add(_ backtest.Run, found []finding) { r.found = append(r.found, found...) }

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		Name             string       `json:"name"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifMessage      `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

func (r *sarifReport) write(w io.Writer, _ summary) error {
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0"}
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "Stile", Version: Version(), InformationURI: "https://github.com/stile-playground/stile", Rules: []sarifRule{}}
	index := map[string]int{}
	for i, rule := range r.rules {
		index[rule.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.Name, Name: rule.Kind, ShortDescription: sarifMessage{fmt.Sprintf("%s of %s, line %d", rule.Kind, rule.File, rule.Line)},
		})
	}
	for _, f := range r.found {
		place := sarifPlace{ArtifactLocation: sarifArtifact{fileURI(f.trace)}}
		if f.Line > 0 {
			place.Region = &sarifRegion{f.Line}
		}
		sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%d\x00%s\x00%s\x00%s", f.trace, f.number, f.rule.Name, f.Outcome, f.Reason)))
		run.Results = append(run.Results, sarifResult{
			RuleID: f.rule.Name, RuleIndex: index[f.rule.Name], Level: "error", Message: sarifMessage{f.message()},
			Locations: []sarifLocation{{place}}, PartialFingerprints: map[string]string{"stile/v1": hex.EncodeToString(sum[:16])},
		})
	}
	log.Runs = []sarifRun{run}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(log)
}

// fileURI returns the reference to a file: relative to the root of the repository for a
// relative path.
func fileURI(name string) string {
	u := url.URL{Path: name}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
		if !strings.HasPrefix(name, "/") { // a drive of Windows
			u.Path = "/" + name
		}
	}
	return u.String()
}
