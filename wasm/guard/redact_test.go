package guard

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

// No log line shows a secret, whatever the form of the arguments, and other values stay readable.
func TestLogsHideSecrets(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "any.cfg", Text: "S -> look S | look\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := drivers(t)
	for arguments, want := range map[string]string{
		`{"client_secret":"HUSH","n":1}`:                       `{"client_secret":"[redacted]","n":1}`,
		`{"x-api-key":"HUSH","clientSecret":{"a":"HUSH"}}`:     `{"x-api-key":"[redacted]","clientSecret":"[redacted]"}`,
		`{"APIKey":"HUSH","signingKey":"HUSH","monkey":"tea"}`: `{"APIKey":"[redacted]","signingKey":"[redacted]","monkey":"tea"}`,
		`{"myaccesstoken":"HUSH","AUTH":"HUSH","author":"me"}`: `{"myaccesstoken":"[redacted]","AUTH":"[redacted]","author":"me"}`,
		`{"head":"Authorization: Bearer sk-HUSH"}`:             `{"head":"[redacted]"}`,
		`{"a":"use sk-HUSH","b":"BEARER HUSH","c":"eyJHUSH"}`:  `{"a":"[redacted]","b":"[redacted]","c":"[redacted]"}`,
		`{"a":"task-1","b":"a bearer","c":"sk-","d":"a: b"}`:   `{"a":"task-1","b":"a bearer","c":"sk-","d":"a: b"}`,
		`{"body":"{\"password\":\"HUSH\",\"n\":[1]}"}`:         `{"body":"{\"password\":\"[redacted]\",\"n\":[1]}"}`,
		`{"body":"\"{\\\"token\\\":\\\"HUSH\\\"}\""}`:          `{"body":"\"{\\\"token\\\":\\\"[redacted]\\\"}\""}`,
		`{"body":"{\"password\":\"HUSH\""}`:                    `{"body":"[redacted]"}`,
		`[{"name":"password","value":"HUSH"}]`:                 `[{"name":"password","value":"[redacted]"}]`,
		`[{"name":"order","value":"A7"}]`:                      `[{"name":"order","value":"A7"}]`,
		`["--password","HUSH","a"]`:                            `["--password","[redacted]","a"]`,
		`{"headers":[["X-Api-Key","HUSH"]]}`:                   `{"headers":[["X-Api-Key","[redacted]"]]}`,
		`{"url":"https://x.example/?q=1&api_key=HUSH"}`:        `{"url":"[redacted]"}`,
		`{"cmd":"env a=PWD=HUSH","note":"password:"}`:          `{"cmd":"[redacted]","note":"password:"}`,
		`"token = 'HUSH'"`:                                     `"[redacted]"`,
		`{"ſecret":"a","e":"ſk-1","Token":"HUSH"}`:             `{"ſecret":"a","e":"ſk-1","Token":"[redacted]"}`,
		`{"customer_email":"HUSH","border":"x","é":"é=1"}`:     `{"customer_email":"[redacted]","border":"x","é":"[redacted]"}`,
		`{"a":"a::b","b":":x"}`:                                `{"a":"a::b","b":":x"}`,
		`{"text":"email: HUSH","":"=:x"}`:                      `{"text":"[redacted]","":"[redacted]"}`,
	} {
		q := request{Guard: text, Redact: []string{"eMail", "order-id", "é"}, Ops: []operation{allow("look", "a", arguments)}}
		reply := judgeInGo(t, q)
		if !strings.Contains(reply.Log[0], `"arguments":`+want+`,"verdict"`) || strings.Contains(reply.Log[0], "HUSH") {
			t.Errorf("%s is logged as %s", arguments, reply.Log[0])
		}
		for _, d := range all {
			compare(t, d.name, q, reply, d.judge(t, q))
		}
	}
}
