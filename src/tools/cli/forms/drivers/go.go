// A login with go-oidc, for an examination by Postern. Change it to what your application does.
//   __STEPS__
package main

import (
	"context"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	issuer, api := os.Getenv("OAUTH_ISSUER"), os.Getenv("OAUTH_RESOURCE")
	server := must(oidc.NewProvider(ctx, issuer))
	config := oauth2.Config{
		ClientID:    os.Getenv("OAUTH_CLIENT_ID"),
		RedirectURL: os.Getenv("OAUTH_REDIRECT_URI"),
		Scopes:      append(strings.Fields(os.Getenv("OAUTH_SCOPE")), "orders"), // the API wants orders
		Endpoint:    server.Endpoint(),
	}
	config.Endpoint.AuthStyle = oauth2.AuthStyleInParams // a public client
	state, nonce, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	address := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)) +
		"&resource=" + url.QueryEscape(issuer) + "&resource=" + url.QueryEscape(api) // the issuer is for userinfo
	// The browser: the server signs in without a page.
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	callback := must(must(browser.Get(address)).Location()).Query()
	require(callback.Get("state") == state && callback.Get("iss") == issuer, "this is not our answer")
	require(callback.Has("code"), "the answer has no code")
	token := must(config.Exchange(ctx, callback.Get("code"), oauth2.VerifierOption(verifier)))
	require(token.Type() == "Bearer", "the token is no bearer token")
	rawIDToken, _ := token.Extra("id_token").(string)
	idToken := must(server.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, rawIDToken))
	require(idToken.Nonce == nonce, "the nonce differs")
	person := must(server.UserInfo(ctx, oauth2.StaticTokenSource(token)))
	require(person.Subject == idToken.Subject, "userinfo is of another person")
	for range 2 {
		expired := &oauth2.Token{RefreshToken: token.RefreshToken}
		token = must(config.TokenSource(ctx, expired).Token())
		answer := must(oauth2.NewClient(ctx, oauth2.StaticTokenSource(token)).Get(api))
		require(answer.StatusCode == 200, answer.Status)
	}
}

func require(condition bool, problem string) {
	if !condition {
		log.Fatal("refused: ", problem)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
