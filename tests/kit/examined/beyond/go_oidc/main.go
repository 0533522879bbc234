// A login with go-oidc and x/oauth2, then a call of the API and two refreshes.
package main

import (
	"context"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	log.SetFlags(0) // a card has no times
	ctx := oidc.ClientContext(context.Background(), &http.Client{Timeout: 10 * time.Second})
	issuer, api := os.Getenv("OAUTH_ISSUER"), os.Getenv("OAUTH_RESOURCE")
	provider := must(oidc.NewProvider(ctx, issuer))
	config := oauth2.Config{
		ClientID:    os.Getenv("OAUTH_CLIENT_ID"),
		RedirectURL: os.Getenv("OAUTH_REDIRECT_URI"),
		Scopes:      append(strings.Fields(os.Getenv("OAUTH_SCOPE")), "orders"),
		Endpoint:    provider.Endpoint(),
	}
	// A public client: otherwise the library finds out with a second request.
	config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	verifier, state, nonce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	login := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))

	callback := browse(login + "&" + url.Values{"resource": {issuer, api}}.Encode())
	require(callback.Get("state") == state, "the state differs")
	token := must(config.Exchange(ctx, callback.Get("code"), oauth2.VerifierOption(verifier)))
	rawIDToken, _ := token.Extra("id_token").(string)
	idToken := must(provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, rawIDToken))
	require(idToken.Nonce == nonce, "the nonce differs")
	if idToken.AccessTokenHash != "" {
		check(idToken.VerifyAccessToken(token.AccessToken))
	}
	person := must(provider.UserInfo(ctx, config.TokenSource(ctx, token)))
	require(person.Subject == idToken.Subject, "userinfo is of another person")

	call(ctx, &config, token, api)
	for count := 0; count < 2 && token.RefreshToken != ""; count++ {
		token.Expiry = time.Unix(1, 0) // as if time had gone by
		token = must(config.TokenSource(ctx, token).Token())
		call(ctx, &config, token, api)
	}
}

// Opens the URL as a browser. The server signs the person in without a page.
func browse(login string) url.Values {
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response := must(browser.Get(login))
	return must(response.Location()).Query()
}

func call(ctx context.Context, config *oauth2.Config, token *oauth2.Token, api string) {
	response := must(config.Client(ctx, token).Get(api))
	require(response.StatusCode == http.StatusOK, "the API answers "+response.Status)
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func require(condition bool, problem string) {
	if !condition {
		log.Fatal("driver: ", problem)
	}
}
