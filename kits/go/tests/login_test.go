// Package tests has tests of the kit with libraries of other people.
package tests

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	postern "github.com/postern/postern/kits/go"
	"github.com/postern/postern/kits/go/tests/shop"
)

func open(t *testing.T, as *postern.Postern) *shop.Shop {
	t.Helper()
	own, err := shop.Open(t.Context(), as.Issuer, as.Client())
	if err != nil {
		t.Fatal(err)
	}
	return own
}

func asPerson(as *postern.Postern, username string) shop.Browser {
	return func(ctx context.Context, url string) (string, error) {
		callback, err := as.Authorize(ctx, url, username, nil)
		if err != nil {
			return "", err
		}
		return callback.URL, nil
	}
}

func signIn(t *testing.T, as *postern.Postern) *oauth2.Token {
	t.Helper()
	token, err := open(t, as).SignIn(t.Context(), asPerson(as, "bob"))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestLogin(t *testing.T) {
	as := postern.New(t)
	token := signIn(t, as)
	if scope := token.Extra("scope"); scope != "openid orders offline_access" {
		t.Errorf("the scope is %v", scope)
	}
	sent, err := as.Requests(t.Context(), postern.EndpointNameToken)
	if err != nil {
		t.Fatal(err)
	}
	if len(sent) != 1 || sent[0].Person != "bob" || sent[0].PKCE != postern.RecordedRequestPKCES256 || sent[0].Status != 200 {
		t.Errorf("the requests are %+v", sent)
	}
}

func TestLoginThatThePersonDenies(t *testing.T) {
	as := postern.New(t)
	own := open(t, as)
	_, err := own.SignIn(t.Context(), func(ctx context.Context, url string) (string, error) {
		callback, err := as.Authorize(ctx, url, "bob", &postern.AuthorizeOptions{Deny: true})
		if err != nil {
			return "", err
		}
		if !strings.Contains(callback.URL, "error=access_denied") {
			t.Errorf("the callback is %s", callback.URL)
		}
		return callback.URL, nil
	})
	if err == nil {
		t.Error("the shop has tokens")
	}
}

func TestRefreshAfterTheClockHasMoved(t *testing.T) {
	as := postern.New(t)
	token := signIn(t, as)
	if status := askUserinfo(t, as, token); status != http.StatusOK {
		t.Errorf("the server answers %d", status)
	}
	before, err := as.Clock.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	after, err := as.Clock.Advance(t.Context(), 2*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if passed := after.Sub(before).Round(time.Hour); passed != 2*time.Hour {
		t.Errorf("the clock has moved by %v", passed)
	}
	if next, err := open(t, as).Refresh(t.Context(), token.RefreshToken); err != nil || next.AccessToken == token.AccessToken {
		t.Errorf("the refresh: %v", err)
	}
	if status := askUserinfo(t, as, token); status != http.StatusUnauthorized {
		t.Errorf("the server answers %d to a token that has expired", status)
	}
}

func askUserinfo(t *testing.T, as *postern.Postern, token *oauth2.Token) int {
	t.Helper()
	request, err := http.NewRequest("GET", as.Issuer+"/userinfo", nil)
	if err != nil {
		t.Fatal(err)
	}
	token.SetAuthHeader(request)
	answer, err := as.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

func TestRefreshWhoseAnswerIsLost(t *testing.T) {
	as := postern.New(t)
	token := signIn(t, as)
	gate, err := as.Gate(t.Context(), "token", postern.GateKindDrop, &postern.CreateGateOptions{Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	own := open(t, as)
	_, err = own.Refresh(t.Context(), token.RefreshToken)
	var refused *oauth2.RetrieveError
	if err == nil || errors.As(err, &refused) {
		t.Errorf("the lost answer: %v", err)
	}
	sent, err := as.Requests(t.Context(), "token")
	if err != nil {
		t.Fatal(err)
	}
	if last := sent[len(sent)-1]; !last.Lost || last.GrantType != "refresh_token" {
		t.Errorf("the last request is %+v", last)
	}
}

func TestDeviceLogin(t *testing.T) {
	as := postern.New(t)
	token, err := open(t, as).SignInByDevice(t.Context(), func(userCode string) error {
		return as.ApproveDevice(t.Context(), userCode, "bob", nil)
	})
	if err != nil || token.AccessToken == "" {
		t.Fatal(err)
	}
}

func TestShopNoticesAnIDTokenForAnother(t *testing.T) {
	as := postern.New(t)
	own := open(t, as)
	verdict, err := as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error {
		_, err := own.SignIn(t.Context(), asPerson(as, "bob"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if verdict.Outcome != postern.OutcomeNoticed {
		t.Errorf("the verdict is %s: %s", verdict.Outcome, verdict.Because)
	}
	if active, err := as.ListMisbehaviours(t.Context()); err != nil || len(active) != 0 {
		t.Errorf("after it, there are %v, %v", active, err)
	}
	signIn(t, as)
}

func TestNaiveShopIsFooled(t *testing.T) {
	as := postern.New(t)
	own := open(t, as)
	own.IsNaive = true
	_, err := as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error {
		_, err := own.SignIn(t.Context(), asPerson(as, "bob"))
		return err
	})
	var fooled *postern.MisbehaviourError
	if !errors.As(err, &fooled) || fooled.Verdict.Outcome != postern.OutcomeFooled {
		t.Fatalf("the error is %v", err)
	}
	if text := err.Error(); !strings.HasPrefix(text, "id_token.aud_wrong: fooled: ") || !strings.Contains(text, "POST ") {
		t.Errorf("the text is %s", text)
	}
}

func TestMisbehaviourThatTheClientNeverMeets(t *testing.T) {
	as := postern.New(t)
	_, err := as.Misbehave(t.Context(), "id_token.aud_wrong", nil, func() error { return nil })
	var failed *postern.MisbehaviourError
	if !errors.As(err, &failed) {
		t.Fatalf("the error is %v", err)
	}
}

func TestClientMeetsALookAlikeAtTheHostsOfTheProvider(t *testing.T) {
	server, err := postern.Start(t.Context(), "--like", "github", "--proxy", "0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := server.ProxyClient()
	if err != nil {
		t.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     "shop",
		ClientSecret: "any",
		RedirectURL:  "http://localhost:3000/callback",
		Endpoint: oauth2.Endpoint{
			AuthURL:  "https://github.com/login/oauth/authorize",
			TokenURL: "https://github.com/login/oauth/access_token",
		},
	}
	ctx := context.WithValue(t.Context(), oauth2.HTTPClient, client)
	callback, err := server.Authorize(ctx, config.AuthCodeURL("a-state-of-the-shop"), "bob", nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := http.NewRequest("GET", callback.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	token, err := config.Exchange(ctx, back.URL.Query().Get("code"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := config.Client(ctx, token).Get("https://api.github.com/user")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the person: %s", answer.Status)
	}
}

func TestServersInParallel(t *testing.T) {
	for number := range 64 {
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			t.Parallel()
			as := postern.New(t)
			if _, err := as.AddPerson(t.Context(), "carol", nil); err != nil {
				t.Fatal(err)
			}
			before, err := as.Clock.Freeze(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			after, err := as.Clock.Advance(t.Context(), time.Duration(number)*time.Hour)
			if err != nil || after.Sub(before).Round(time.Second) != time.Duration(number)*time.Hour {
				t.Errorf("the clock is %v after %v: %v", after, before, err)
			}
			if _, err := as.Login(t.Context(), "carol", nil); err != nil {
				t.Error(err)
			}
			if sent, err := as.Requests(t.Context(), "token"); err != nil || len(sent) != 1 {
				t.Errorf("%d requests: %v", len(sent), err)
			}
		})
	}
}
