package postern_test

import (
	"errors"
	"testing"
	"time"

	postern "github.com/postern/postern/kits/go"
)

// t is that of your test.
var t *testing.T

// signIn stands for your own client.
func signIn(issuer string) error { return errors.New(issuer) }

func ExampleNew() {
	as := postern.New(t)
	tokens, err := as.Login(t.Context(), "bob", &postern.LoginOptions{Scope: postern.Strings{"openid", "orders"}})
	if err != nil {
		t.Fatal(err)
	}
	if tokens.Claims["sub"] == "" {
		t.Error("the ID token has no subject")
	}
}

func ExampleClock_Advance() {
	as := postern.New(t)
	if _, err := as.Clock.Advance(t.Context(), 2*time.Hour); err != nil {
		t.Fatal(err)
	}
}

func ExampleControl_Misbehave() {
	as := postern.New(t)
	_, err := as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error { return signIn(as.Issuer) })
	if err != nil {
		t.Fatal(err) // the client was fooled
	}
}

func ExampleControl_Gate() {
	as := postern.New(t)
	gate, err := as.Gate(t.Context(), "token", postern.GateKindDrop, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	if err := signIn(as.Issuer); err == nil {
		t.Error("the client has an answer that was lost")
	}
}
