package toolserver

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// OpenAPI describes the HTTP API; SERVER is a placeholder for its address.
const OpenAPI = `{
  "openapi": "3.1.0",
  "info": {"title": "A shop of pets", "version": "1"},
  "servers": [{"url": "SERVER"}],
  "paths": {
    "/pets": {
      "get": {"operationId": "listPets", "summary": "Lists the pets of a kind.", "parameters": [
        {"name": "kind", "in": "query", "required": true, "schema": {"type": "string", "enum": ["cat", "dog"]}},
        {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
        {"name": "where", "in": "query", "style": "deepObject", "schema": {"type": "object"}},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
        {"name": "X-Trace", "in": "header", "schema": {"type": "string"}}
      ]},
      "post": {"operationId": "addPet", "summary": "Adds a pet.", "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/pet"}}}}}
    },
    "/pets/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "get": {"operationId": "getPet", "summary": "Tells of a pet."},
      "put": {"operationId": "changePet", "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/pet"}}}}},
      "delete": {"operationId": "removePet"}
    },
    "/form": {"post": {"operationId": "sendForm", "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}}}}}}}
  },
  "components": {"schemas": {"pet": {"type": "object", "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer"}}, "required": ["name"], "additionalProperties": false}}}
}`

// api replies with a description of the request, except for an unknown pet.
func (x *exchange) api() {
	rest := strings.TrimPrefix(x.path, "/api")
	switch {
	case rest == "/openapi.json":
		x.json(200, strings.ReplaceAll(OpenAPI, "SERVER", "http://"+x.Host+strings.TrimSuffix(x.URL.Path, "/openapi.json")))
	case rest == "/pets/none":
		x.json(http.StatusNotFound, `{"message":"there is no such pet"}`)
	case x.Method == http.MethodDelete:
		x.out.WriteHeader(http.StatusNoContent)
	default:
		x.out.Header().Set("Content-Type", "application/json")
		said := fmt.Sprintf(`{"method":%q,"path":%q,"query":%q,"trace":%q,"type":%q,"body":%q}`,
			x.Method, strings.TrimPrefix(x.URL.EscapedPath(), strings.TrimSuffix(x.URL.Path, rest)), x.URL.RawQuery, x.Header.Get("X-Trace"), x.Header.Get("Content-Type"), x.body)
		_, _ = io.WriteString(x.out, said) // the client may have disconnected
	}
}
