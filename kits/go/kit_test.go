package postern

import (
	"encoding/json"
	"os/exec"
	"reflect"
	"testing"
	"time"
)

func TestSplitCommand(t *testing.T) {
	for text, words := range map[string][]string{
		`node "/a b/postern.mjs"  --x`: {"node", "/a b/postern.mjs", "--x"},
		`'/a "b"'c "" $HOME;rm`:        {`/a "b"c`, "", "$HOME;rm"},
		"\tone\n":                      {"one"},
	} {
		if got, err := splitCommand(text); err != nil || !reflect.DeepEqual(got, words) {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	if _, err := splitCommand(`node "/a b`); err == nil {
		t.Error("an open quote is accepted")
	}
}

func TestJSON(t *testing.T) {
	for want, value := range map[string]any{
		`{"skew":-1.5}`:               partsOf(MoveClockOptions{Skew: Set(-1500 * time.Millisecond)}),
		`{"advance":0}`:               partsOf(MoveClockOptions{Advance: Set(time.Duration(0))}),
		`{"set":1893456000.5}`:        partsOf(MoveClockOptions{Set: time.Date(2030, 1, 1, 0, 0, 0, 5e8, time.UTC)}),
		`{"by":0.25,"count":2}`:       partsOf(CreateGateOptions{By: 250 * time.Millisecond, Count: 2}),
		`{"maxAge":0,"scopes":null}`:  partsOf(ChangeResourceOptions{MaxAge: Set(time.Duration(0)), Scopes: Null[[]string]()}),
		`{"disabled":false,"sub":""}`: partsOf(ChangePersonOptions{Disabled: Set(false), Sub: Set("")}),
		`{"require_pkce":false}`:      partsOf(AddClientOptions{RequirePKCE: Set(false)}),
		`{"rules":[{"maxAge":0}]}`:    partsOf(CreateResourceOptions{Rules: []ResourceRule{{MaxAge: Set(time.Duration(0))}}}),
		`{"redirect_uris":[]}`:        partsOf(AddClientOptions{RedirectURIs: []string{}}),
		`{"username":"bob"}`:          []any{(*LoginOptions)(nil), members{"username": "bob", "client": ""}},
		`{"access_token":"a"}`:        []any{(&Tokens{AccessToken: "a", TokenType: "Bearer"}).members()},
		`{}`:                          []any{(*Tokens)(nil).members(), (*RefreshOptions)(nil)},
		`{"expiresIn":-300,"nonce":""}`: []any{&MintOptions{ExpiresIn: -5 * time.Minute}, struct {
			Nonce string `json:"nonce"`
		}{}},
	} {
		all, err := merge(value.([]any))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := json.Marshal(all); err != nil || string(text) != want {
			t.Errorf("%s, and %s is expected: %v", text, want, err)
		}
	}
	if _, err := merge([]any{&MintOptions{Claims: map[string]any{"a": func() {}}}}); err == nil {
		t.Error("a function is accepted")
	}
}

// partsOf returns the parts of a body with these options alone.
func partsOf[T any](options T) []any { return []any{&options} }

func TestAnswers(t *testing.T) {
	var resource Resource
	text := `{"id":"a","scope":"one","resource":null,"maxAge":"1d 3h 5m","requests":1,"unknown":{}}`
	if err := json.Unmarshal([]byte(text), &resource); err != nil {
		t.Fatal(err)
	}
	if age, has := resource.MaxAge.Get(); !has || age != 27*time.Hour+5*time.Minute || resource.Scope[0] != "one" {
		t.Errorf("%+v", resource)
	}
	var gate Gate
	if err := json.Unmarshal([]byte(`{"id":"g","by":0.5}`), &gate); err != nil || gate.By != 500*time.Millisecond || gate.ID != "g" {
		t.Errorf("%+v, %v", gate, err)
	}
	var clock ClockState
	if err := json.Unmarshal([]byte(`{"now":1893456000.123,"skew":-90}`), &clock); err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2030, 1, 1, 0, 0, 0, 123e6, time.UTC); !clock.Now.Equal(want) || clock.Skew != -90*time.Second {
		t.Errorf("%+v", clock)
	}
	var request RecordedRequest
	if err := json.Unmarshal([]byte(`{"params":{"a":"1","b":["2","3"]}}`), &request); err != nil || len(request.Params["b"]) != 2 {
		t.Errorf("%+v, %v", request, err)
	}
	for _, hostile := range []string{`{"by":1e300}`, `{"by":"soon"}`, `{"by":[]}`, `{"id":1}`, `[]`} {
		if err := json.Unmarshal([]byte(hostile), new(Gate)); err == nil {
			t.Errorf("%s is accepted", hostile)
		}
	}
	if optional := (ChangePersonOptions{}).Sub; !optional.IsZero() {
		t.Error("what is not set is not zero")
	}
}

func TestProcessThatIsKilledHasEnded(t *testing.T) {
	p := &process{command: exec.Command("sleep", "600"), ready: make(chan struct{}), ended: make(chan struct{})}
	if err := p.run(); err != nil {
		t.Skip(err)
	}
	if err := p.end(time.Millisecond); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
	default:
		t.Error("the process still runs")
	}
}

func TestNameOfATenant(t *testing.T) {
	for name, word := range map[string]string{
		"TestLogin/with spaces & more": "login-with-spaces-more",
		"TestÜ":                        "test",
		"":                             "test",
		"TestLogin_0123456789012345678901234567890123456789": "login-0123456789012345678901234567890123",
	} {
		if got := toWord(name); got != word {
			t.Errorf("%q: %q", name, got)
		}
	}
}
