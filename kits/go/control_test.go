package postern_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	postern "github.com/postern/postern/kits/go"
)

func TestRefusedCall(t *testing.T) {
	as := postern.New(t)
	_, err := as.AddClient(t.Context(), "shop", &postern.AddClientOptions{RedirectURIs: []string{"callback"}})
	var refused *postern.RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("the error is %v", err)
	}
	if refused.Status != 400 || refused.Code != "invalid_request" || !strings.HasPrefix(refused.Place, "redirect_uris") {
		t.Errorf("%+v", refused)
	}
	_, err = as.Login(t.Context(), "zoe", nil)
	if err == nil || strings.Contains(err.Error(), "expected") || !strings.Contains(err.Error(), "alice, bob") {
		t.Errorf("it says one thing twice: %v", err)
	}
	err = as.NextSignIn(t.Context(), "bob", &postern.NextSignInOptions{Deny: true})
	if err == nil || err.Error() != "The next sign-in needs one decision (expected: either username, or deny set to true)" {
		t.Errorf("the error is %v", err)
	}
	_, err = as.Authorize(t.Context(), as.Issuer+"/oauth2/authorize?client_id=shop", "bob", nil)
	if !errors.As(err, &refused) || refused.Refusal == nil || refused.Reason() == "" {
		t.Errorf("%+v", refused)
	}
	why, err := as.Explain(t.Context())
	if err != nil || !strings.Contains(why, refused.Reason()) {
		t.Errorf("%s, %v", why, err)
	}
	if report := as.Report(t.Context()); !strings.Contains(report, as.Issuer) || !strings.Contains(report, why[:20]) {
		t.Error(report)
	}
}

func TestContextEndsACall(t *testing.T) {
	as := postern.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := as.Login(ctx, "bob", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestCallsShareAConnectionAndSendNoEmptyQuery(t *testing.T) {
	var opened atomic.Int32
	var asked []string
	fake := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.RequestURI)
		fmt.Fprintf(w, `{"info":{"version":%q},"gates":[]}`, postern.Version)
	}))
	fake.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	fake.Start()
	defer fake.Close()
	server, err := postern.Connect(t.Context(), fake.URL, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := server.ListGates(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(asked, " "); strings.Contains(got, "?") || opened.Load() != 1 {
		t.Errorf("%d connections for %s", opened.Load(), got)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}

func TestChangeOfAClient(t *testing.T) {
	as := postern.New(t)
	redirect := []string{"http://localhost:3000/callback"}
	if _, err := as.AddClient(t.Context(), "a/b", &postern.AddClientOptions{RedirectURIs: redirect, ClientName: "A"}); err != nil {
		t.Fatal(err)
	}
	changed, err := as.ChangeClient(t.Context(), "a/b", &postern.ChangeClientOptions{ClientName: postern.Set("B")})
	if err != nil || changed.ClientName != "B" || len(changed.RedirectURIs) != 1 {
		t.Errorf("%+v, %v", changed, err)
	}
	if err := as.RemoveClient(t.Context(), "a/b"); err != nil {
		t.Error(err)
	}
}

func TestGateHoldsRequests(t *testing.T) {
	as := postern.New(t)
	gate, err := as.Gate(t.Context(), "jwks", postern.GateKindHold, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	for range 2 {
		go func() {
			answer, err := as.Client().Get(as.Issuer + "/oauth2/jwks")
			if err == nil {
				err = answer.Body.Close()
			}
			ended <- err
		}()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if watched, err := gate.Wait(ctx, 2); err != nil || watched.Waiting != 2 {
		t.Fatalf("%+v, %v", watched, err)
	}
	if err := gate.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
	defer cancel()
	const want = "1 of 3 requests came to the endpoint jwks: "
	if _, err := gate.Wait(short, 3); !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
	if watched, err := gate.Wait(short, 1); err != nil || watched.Waiting != 1 {
		t.Errorf("after the deadline, %+v, %v", watched, err)
	}
	if err := gate.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := gate.Close(); err != nil {
		t.Errorf("a second close: %v", err)
	}
}

func TestGateWaitsForAMinute(t *testing.T) {
	as := postern.New(t)
	gate, err := as.Gate(t.Context(), "jwks", postern.GateKindHold, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		answer, err := as.Client().Get(as.Issuer + "/oauth2/jwks")
		if err == nil {
			err = answer.Body.Close()
		}
		ended <- err
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if watched, err := gate.Wait(ctx, 1); err != nil || watched.Waiting != 1 {
		t.Errorf("%+v, %v", watched, err)
	}
	if err := errors.Join(gate.Close(), <-ended); err != nil {
		t.Error(err)
	}
}

// The server here never waits itself, so that the test takes no minute.
func TestGateAsksAgainUntilTheDeadline(t *testing.T) {
	var waits []string
	arrives, stop := 3, func() {}
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/openapi.json"):
			fmt.Fprintf(w, `{"info":{"version":%q}}`, postern.Version)
		case r.Method == http.MethodPost:
			fmt.Fprint(w, `{"id":"gate-1"}`)
		case r.Method == http.MethodDelete:
			http.Error(w, "busy", http.StatusServiceUnavailable)
		default:
			waits = append(waits, r.URL.Query().Get("wait"))
			if arrives == 0 && len(waits) == 1 {
				stop()
				<-r.Context().Done()
			}
			fmt.Fprintf(w, `{"id":"gate-1","waiting":1,"arrived":%t}`, len(waits) == arrives)
		}
	}))
	defer fake.Close()
	server, err := postern.Connect(t.Context(), fake.URL, "", "")
	if err != nil {
		t.Fatal(err)
	}
	gate, err := server.Gate(t.Context(), "jwks", postern.GateKindHold, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	if _, err := gate.Wait(ctx, 2); err != nil || len(waits) != 3 || waits[0] != "30" || waits[1] != "30" || waits[2] != "30" {
		t.Errorf("%v, %v", waits, err)
	}
	waits, arrives = nil, 1
	if _, err := gate.Wait(t.Context(), 2); err != nil || len(waits) != 1 || waits[0] != "5" {
		t.Errorf("without a deadline: %v, %v", waits, err)
	}
	waits, arrives = nil, 0
	short, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
	defer cancel()
	stop = cancel // the fake server ends the context, so that the test need not wait
	_, err = gate.Wait(short, 2)
	if err == nil || err.Error() != "1 of 2 requests came to the endpoint jwks: context canceled" {
		t.Errorf("the error is %v", err)
	}
	if err := gate.Close(); err == nil || err.Error() != "HTTP 503: busy\n" {
		t.Errorf("the gate is not closed, and the error is %v", err)
	}
	// A watch of whole seconds ends with the context, and another counts what has come.
	if len(waits) != 2 || waits[0] != "1" || waits[1] != "" {
		t.Errorf("less than a second: %q", waits)
	}
}

func TestHookIsOnUntilItIsClosed(t *testing.T) {
	as := postern.New(t)
	hook, err := as.Hook(t.Context(), "id_token", map[string]any{"role": "admin"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	role := func() any {
		tokens, err := as.Login(t.Context(), "bob", nil)
		if err != nil {
			t.Fatal(err)
		}
		return tokens.Claims["role"]
	}
	if is := role(); is != "admin" {
		t.Errorf("the role is %v", is)
	}
	if err := hook.Close(); err != nil {
		t.Fatal(err)
	}
	if is := role(); is != nil {
		t.Errorf("after it, the role is %v", is)
	}
}

func TestLookAlike(t *testing.T) {
	as := postern.New(t)
	look, err := as.LookLike(t.Context(), "github", nil)
	if err != nil {
		t.Fatal(err)
	}
	if on, err := as.ListLookAlikes(t.Context()); err != nil || len(on) != 1 || on[0].ID != look.ID {
		t.Errorf("%+v, %v", on, err)
	}
	if err := look.Close(); err != nil {
		t.Fatal(err)
	}
	if on, err := as.ListLookAlikes(t.Context()); err != nil || len(on) != 0 {
		t.Errorf("%+v, %v", on, err)
	}
}

func TestClock(t *testing.T) {
	as := postern.New(t)
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	moves := map[string]func() (time.Time, error){
		"Set":      func() (time.Time, error) { return as.Clock.Set(t.Context(), at) },
		"FreezeAt": func() (time.Time, error) { return as.Clock.FreezeAt(t.Context(), at) },
	}
	for name, move := range moves {
		if now, err := move(); err != nil || now.Sub(at).Round(time.Minute) != 0 {
			t.Errorf("%s: %v, %v", name, now, err)
		}
	}
	if _, err := as.Clock.Skew(t.Context(), -90*time.Second); err != nil {
		t.Fatal(err)
	}
	state, err := as.ShowClock(t.Context())
	if err != nil || state.Skew != -90*time.Second {
		t.Errorf("%+v, %v", state, err)
	}
	if _, err := as.Clock.Skew(t.Context(), 0); err != nil {
		t.Error(err)
	}
	if _, err := as.Clock.Resume(t.Context()); err != nil {
		t.Error(err)
	}
	state, err = as.ShowClock(t.Context())
	if err != nil || state.Skew != 0 || state.Frozen {
		t.Errorf("%+v, %v", state, err)
	}
}

func TestMisbehaviourIsOffAfterATestThatEndsInside(t *testing.T) {
	as := postern.New(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error {
			runtime.Goexit() // as t.FailNow does
			return nil
		})
	}()
	<-ended
	if active, err := as.ListMisbehaviours(t.Context()); err != nil || len(active) != 0 {
		t.Errorf("%v, %v", active, err)
	}
	_, err := as.Misbehave(t.Context(), "id_token.aud_wrongg", nil, func() error { return nil })
	var refused *postern.RefusedError
	if !errors.As(err, &refused) || strings.Contains(err.Error(), "(expected: ") {
		t.Errorf("the error is %v", err)
	}
}

func TestMisbehaviourThatCannotBeSwitchedOff(t *testing.T) {
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusBadGateway)
		}
		fmt.Fprintf(w, `{"info":{"version":%q},"id":"misbehaviour-1","outcome":"noticed"}`, postern.Version)
	}))
	defer fake.Close()
	server, err := postern.Connect(t.Context(), fake.URL, "", "")
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := server.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error { return nil })
	var refused *postern.RefusedError
	if verdict == nil || !errors.As(err, &refused) || refused.Status != http.StatusBadGateway {
		t.Errorf("%v, %v", verdict, err)
	}
}

func TestErrorOfTheKitIsNoRefusalOfTheClient(t *testing.T) {
	as := postern.New(t)
	_, refused := as.Login(t.Context(), "carol", nil)
	t.Setenv("POSTERN_COMMAND", "/no/such/program")
	_, noStart := postern.Start(t.Context())
	_, unmet := as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error { return nil })
	gate, err := as.Gate(t.Context(), "jwks", postern.GateKindHold, nil)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, notCome := gate.Wait(short, 1)
	_, noAnswer := as.Login(short, "bob", nil)
	_, noJSON := as.Mint(t.Context(), "bob", &postern.MintOptions{Claims: map[string]any{"a": func() {}}})
	_, noProxy := as.Server.ProxyClient()
	for _, own := range []error{
		refused, noStart, unmet, notCome, noAnswer, noJSON, noProxy, answerOfAnother(t, `{`), answerOfAnother(t, ""),
		fmt.Errorf("the shop cannot sign in: %w", refused),
	} {
		if own == nil {
			t.Fatal("a call of the kit has no error")
		}
		verdict, err := as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error {
			// The client has met the fault, so that any other error is its refusal.
			if _, err := as.Login(t.Context(), "bob", nil); err != nil {
				t.Error(err)
			}
			return own
		})
		if verdict != nil || err != own {
			t.Errorf("%+v, %v", verdict, err)
		}
	}
	if active, err := as.ListMisbehaviours(t.Context()); err != nil || len(active) != 0 {
		t.Errorf("%v, %v", active, err)
	}
}

// answerOfAnother returns the error of a call whose answer is this text. Without a text, it ends too early.
func answerOfAnother(t *testing.T, text string) error {
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/openapi.json") {
			fmt.Fprintf(w, `{"info":{"version":%q}}`, postern.Version)
			return
		}
		if text == "" {
			w.Header().Set("Content-Length", "9")
		}
		fmt.Fprint(w, text)
	}))
	defer fake.Close()
	server, err := postern.Connect(t.Context(), fake.URL, "", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = server.ShowClock(t.Context())
	return err
}

func TestTimeoutIsNoRefusalOfTheClient(t *testing.T) {
	as := postern.New(t)
	for _, err := range []error{context.DeadlineExceeded, &net.OpError{Op: "dial", Err: errors.New("refused")}} {
		verdict, judged := as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error {
			if _, err := as.Login(t.Context(), "bob", nil); err != nil {
				t.Error(err)
			}
			return err
		})
		var unmet *postern.MisbehaviourError
		if !errors.As(judged, &unmet) || verdict.Outcome != postern.OutcomeUnknown {
			t.Errorf("%v: %+v, %v", err, verdict, judged)
		}
	}
}

func TestSecondCloseIsNoError(t *testing.T) {
	as := postern.New(t)
	for range 2 {
		if err := as.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestResetAndSnapshot(t *testing.T) {
	server := mustStart(t)
	taken, err := server.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.AddPerson(t.Context(), "carol", &postern.AddPersonOptions{Claims: map[string]any{"role": "admin"}}); err != nil {
		t.Fatal(err)
	}
	if err := server.Restore(t.Context(), taken.ID); err != nil {
		t.Fatal(err)
	}
	people, err := server.ListPeople(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range people {
		if each.Username == "carol" {
			t.Error("carol is still there")
		}
	}
	if answer, err := server.Client().Get(server.Started.Issuer + "/health"); err != nil || answer.StatusCode != http.StatusOK {
		t.Error(err)
	}
}
