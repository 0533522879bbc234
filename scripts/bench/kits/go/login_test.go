// Package bench logs in at a new server in each test, as the README of each mock shows.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"testing"

	"github.com/oauth2-proxy/mockoidc"
	postern "github.com/postern/postern/kits/go"
	"golang.org/x/oauth2"
)

const callback = "http://localhost:3000/callback"

var browser = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// repeat runs as many tests as the variable says.
func repeat(t *testing.T, test func(t *testing.T)) {
	count, err := strconv.Atoi(os.Getenv("BENCH_TESTS"))
	if err != nil {
		t.Fatal(err)
	}
	for number := range count {
		t.Run(strconv.Itoa(number), test)
	}
}

// signIn logs a person in. approve plays the browser and the person, and returns the callback.
func signIn(ctx context.Context, config oauth2.Config, approve func(string) (string, error)) error {
	verifier, state := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	config.RedirectURL, config.Scopes = callback, []string{"openid"}
	config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	at, err := approve(config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("nonce", state)))
	if err != nil {
		return err
	}
	back, err := url.Parse(at)
	if err != nil {
		return err
	}
	if back.Query().Get("state") != state {
		return fmt.Errorf("another state in %s", back)
	}
	tokens, err := config.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err == nil && tokens.Extra("id_token") == nil {
		err = errors.New("the answer has no ID token")
	}
	return err
}

func redirectOf(address string) (string, error) {
	answer, err := browser.Get(address)
	if err != nil {
		return "", err
	}
	return answer.Header.Get("Location"), answer.Body.Close()
}

func TestNone(t *testing.T) {
	repeat(t, func(t *testing.T) {
		if !json.Valid([]byte("{}")) {
			t.Error("no JSON")
		}
	})
}

func TestPostern(t *testing.T) {
	repeat(t, func(t *testing.T) {
		as := postern.New(t)
		at := as.Issuer + "/oauth2"
		config := oauth2.Config{ClientID: "shop", Endpoint: oauth2.Endpoint{AuthURL: at + "/authorize", TokenURL: at + "/token"}}
		if err := signIn(t.Context(), config, func(address string) (string, error) {
			answer, err := as.Authorize(t.Context(), address, "bob", nil)
			if err != nil {
				return "", err
			}
			return answer.URL, nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func signInAtMock(t *testing.T, server *mockoidc.MockOIDC) {
	config := oauth2.Config{
		ClientID:     server.ClientID,
		ClientSecret: server.ClientSecret,
		Endpoint:     oauth2.Endpoint{AuthURL: server.AuthorizationEndpoint(), TokenURL: server.TokenEndpoint()},
	}
	if err := signIn(t.Context(), config, redirectOf); err != nil {
		t.Fatal(err)
	}
}

func runMock(t *testing.T) *mockoidc.MockOIDC {
	server, err := mockoidc.Run()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Shutdown() })
	return server
}

func TestMockoidc(t *testing.T) {
	repeat(t, func(t *testing.T) { signInAtMock(t, runMock(t)) })
}

func TestMockoidcShared(t *testing.T) {
	server := runMock(t)
	repeat(t, func(t *testing.T) { signInAtMock(t, server) })
}
