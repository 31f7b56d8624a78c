package grammars

import (
	"embed"
	"fmt"
)

// records has data of benchmarks outside workspaces.
//
//go:embed travelplanner/data.json travelplanner/queries.json apibank/level3.jsonl llmfp/*.json llmfp/*.jsonl
var records embed.FS

// RecordFiles returns the names of the files with data of benchmarks, which [Records] reads. The
// README.md in each folder documents their content and source.
func RecordFiles() []string {
	return []string{
		"travelplanner/data.json", "travelplanner/queries.json", "apibank/level3.jsonl",
		"llmfp/coffee.json", "llmfp/workforce.json", "llmfp/facility.json", "llmfp/task_allocation.json", "llmfp/warehouse.json",
		"llmfp/blocksworld.jsonl", "llmfp/mystery_blocksworld.jsonl", "llmfp/movie.jsonl", "llmfp/gripper.jsonl",
	}
}

// Records returns a file of [RecordFiles]. The error names an unknown file.
func Records(name string) ([]byte, error) {
	text, err := records.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("grammars: unknown records %q", name)
	}
	return text, nil
}
