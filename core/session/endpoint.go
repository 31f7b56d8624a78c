package session

import (
	"github.com/stile-playground/stile/core/llm"
)

// EndpointPriceParams name a model, as an endpoint calls it.
type EndpointPriceParams struct {
	Model string `json:"model"`
}

// EndpointPriceResult is the price of the model, if it is known, and the date of the
// price table.
type EndpointPriceResult struct {
	Price *llm.Price `json:"price"`
	Of    string     `json:"of"`
}

func endpointMethods() []Method {
	return []Method{pure("endpoint.price", endpointPrice)}
}

func endpointPrice(p EndpointPriceParams) (EndpointPriceResult, error) {
	result := EndpointPriceResult{Of: llm.PricesOf}
	if price, ok := llm.PriceOf(p.Model, llm.Prices()); ok {
		result.Price = &price
	}
	return result, nil
}
