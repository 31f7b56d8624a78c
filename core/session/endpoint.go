package session

import (
	"github.com/stile-playground/stile/core/llm"
)

// EndpointPriceParams name a model, as an endpoint calls it.
type EndpointPriceParams struct {
	Model string `json:"model"`
}

// EndpointPriceResult is what the model is known to cost, if it is known, and
// the day of the table that says so.
type EndpointPriceResult struct {
	Price *llm.Price `json:"price"`
	Of    string     `json:"of"`
}

func endpointMethods() []Method {
	return []Method{method("endpoint.price", (*Session).endpointPrice)}
}

func (s *Session) endpointPrice(p EndpointPriceParams) (EndpointPriceResult, error) {
	result := EndpointPriceResult{Of: llm.PricesOf}
	if price, ok := llm.PriceOf(p.Model, llm.Prices()); ok {
		result.Price = &price
	}
	return result, nil
}
