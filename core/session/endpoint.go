package session

import (
	"github.com/stile-playground/stile/core/llm"
)

// EndpointPriceParams name a model, as an endpoint calls it.
type EndpointPriceParams struct {
	Model string `json:"model"`
}

// EndpointPriceResult is the price of the model, if it is known, and the date of its
// source.
type EndpointPriceResult struct {
	Price *llm.Price `json:"price"`
	Of    string     `json:"of"`
}

func endpointMethods() []Method {
	return []Method{pure("endpoint.price", endpointPrice)}
}

func endpointPrice(p EndpointPriceParams) (EndpointPriceResult, error) {
	row, ok := llm.PriceOf(p.Model, llm.Prices())
	if !ok {
		return EndpointPriceResult{Of: row.Of}, nil
	}
	return EndpointPriceResult{&row.Price, row.Of}, nil
}
