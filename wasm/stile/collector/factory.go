// Package collector is a processor of the OpenTelemetry Collector. It judges the spans of agents by specs of Stile,
// and adds the verdicts to the spans as attributes.
//
// The verdict on a session is that of `stile check` on its spans: the processor keeps the spans of a session, in the
// order of their start times, and judges them again when others arrive. The memory is bounded. A session that was
// evicted, or that exceeds its bound, has the verdict unread, never a pass.
package collector

import (
	"context"
	"fmt"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/processor"
)

// componentType is the name of the processor in configurations.
var componentType = component.MustNewType("stile")

// NewFactory returns the factory of the processor.
func NewFactory() processor.Factory {
	return processor.NewFactory(componentType, func() component.Config { return defaultConfig() },
		processor.WithTraces(create, component.StabilityLevelAlpha))
}

func create(_ context.Context, set processor.Settings, config component.Config, next consumer.Traces) (processor.Traces, error) {
	c, ok := config.(*Config)
	if !ok {
		return nil, fmt.Errorf("unexpected type of the configuration: %T", config)
	}
	return newProcessor(set.TelemetrySettings, c, next)
}
