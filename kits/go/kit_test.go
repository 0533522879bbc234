package postern

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"syscall"
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
	text := `{"id":"a","scope":"one","resource":null,"maxAge":97500,"requests":1,"unknown":{}}`
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

func TestMomentIsExactToTheMillisecond(t *testing.T) {
	// Here in 2038, the product of the seconds and 1000 is often a little too low.
	for milliseconds := range int64(1000) {
		want := time.UnixMilli(1<<31*1000 + milliseconds).UTC()
		text, err := json.Marshal(moment(want))
		var read moment
		if err == nil {
			err = json.Unmarshal(text, &read)
		}
		if err != nil || !time.Time(read).Equal(want) {
			t.Fatalf("%s is read as %v: %v", text, time.Time(read), err)
		}
	}
}

func TestProcessThatIsKilledHasEnded(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	p := &process{ended: make(chan struct{})}
	if err := p.run([]string{sleep, "600"}, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	p.close() // waits until it has ended
}

func TestLastLineWithoutAnEnd(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	latest := make([]string, mostLines)
	for index := range latest {
		latest[index] = fmt.Sprint(300 - mostLines + index + 1)
	}
	for script, want := range map[string]string{
		`echo one; printf two`:     "one\ntwo",
		`echo one; printf two >&2`: "one\ntwo",
		`echo one`:                 "one",
		`seq 300`:                  strings.Join(latest, "\n"),
	} {
		p := &process{ended: make(chan struct{})}
		if err := p.run([]string{shell, "-c", script}, timeToEnd); err != nil {
			t.Fatal(err)
		}
		<-p.ended
		if log := p.log(); log != want {
			t.Errorf("%s: %q", script, log)
		}
	}
}

func TestLines(t *testing.T) {
	var lines []string
	written := lineWriter{take: func(line []byte) { lines = append(lines, string(line)) }}
	for _, part := range []string{"one\ntw", "o", "\n\nth", "ree"} {
		if count, err := written.Write([]byte(part)); err != nil || count != len(part) {
			t.Errorf("%q: %d, %v", part, count, err)
		}
	}
	if want := []string{"one", "two", ""}; !reflect.DeepEqual(lines, want) || string(written.rest) != "three" {
		t.Errorf("%q, and the rest is %q", lines, written.rest)
	}
}

func TestTextOfAnOptional(t *testing.T) {
	values := fmt.Sprint(Optional[int]{}, Null[int](), Set(0), ChangePersonOptions{Sub: Set("bob")}.Sub)
	if values != "not set null 0 bob" {
		t.Error(values)
	}
}

func TestErrorThatIsNoRefusal(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	waited := &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}
	sent := func(err error) error { return &url.Error{Op: "Get", URL: "http://shop", Err: err} }
	for _, each := range []struct {
		err  error
		name string
	}{
		{context.DeadlineExceeded, "TimeoutError: "},
		{sent(context.Canceled), "TimeoutError: "},
		{sent(waited), "TimeoutError: "},
		{refused, "ConnectionError: "},
		{sent(io.EOF), "ConnectionError: "},
		{io.EOF, ""},
		{sent(errors.New("a redirect to another host")), ""},
		{errors.New("oidc: expected audience shop"), ""},
	} {
		for _, err := range []error{each.err, fmt.Errorf("sign in: %w", each.err)} {
			if text := describe(err); text != each.name+err.Error() {
				t.Errorf("%v: %s", err, text)
			}
		}
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

func TestSharedProcessesAreToldApartByTheirFlags(t *testing.T) {
	// No program runs, so that each start fails with its own flags.
	t.Setenv("POSTERN_COMMAND", "false")
	for _, flags := range [][]string{{"--alg", "x"}, {"--algx"}, {"--alg x"}} {
		if _, err := share(flags); err == nil || !strings.Contains(err.Error(), strings.Join(flags, " ")) {
			t.Errorf("%q: %v", flags, err)
		}
	}
}
