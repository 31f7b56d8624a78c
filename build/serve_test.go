package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// No model server of the page's presets uses serve's default port.
func TestDefaultPortDiffersFromModelServers(t *testing.T) {
	presets, err := os.ReadFile("../web/src/models/endpoint-presets.ts")
	if err != nil {
		t.Fatal(err)
	}
	ports := presetPort.FindAllStringSubmatch(string(presets), -1)
	if len(ports) < 4 {
		t.Fatalf("%d ports found in the presets", len(ports))
	}
	for _, p := range ports {
		if p[1] == strconv.Itoa(defaultPort) {
			t.Errorf("%s is also the port of a preset", p[1])
		}
	}
}

var presetPort = regexp.MustCompile(`localhost:(\d+)`)
