// A login with go-oidc and x/oauth2, a call of the API, two refreshes, and a second login.
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
	ctx := context.Background()
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
	token, subject := logIn(ctx, provider, &config, api)

	source := &keeping{config.TokenSource(ctx, token), token}
	person := must(provider.UserInfo(ctx, source))
	require(person.Subject == subject, "userinfo is of another person")

	call(ctx, source, api)
	for count := 0; count < 2 && source.last.RefreshToken != ""; count++ {
		expired := *source.last
		expired.Expiry = time.Unix(1, 0) // as if time had gone by
		source.TokenSource = config.TokenSource(ctx, &expired)
		call(ctx, source, api)
	}
	logIn(ctx, provider, &config, api)
}

func logIn(ctx context.Context, provider *oidc.Provider, config *oauth2.Config, api string) (*oauth2.Token, string) {
	verifier, state, nonce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	login := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))

	callback := browse(login + "&" + url.Values{"resource": {os.Getenv("OAUTH_ISSUER"), api}}.Encode())
	require(callback.Get("state") == state, "the state differs")
	token := must(config.Exchange(ctx, callback.Get("code"), oauth2.VerifierOption(verifier)))
	rawIDToken, _ := token.Extra("id_token").(string)
	idToken := must(provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, rawIDToken))
	require(idToken.Nonce == nonce, "the nonce differs")
	if idToken.AccessTokenHash != "" {
		check(idToken.VerifyAccessToken(token.AccessToken))
	}
	return token, idToken.Subject
}

// Keeps the last token, as an application does that refreshes it later.
type keeping struct {
	oauth2.TokenSource
	last *oauth2.Token
}

func (source *keeping) Token() (*oauth2.Token, error) {
	token, err := source.TokenSource.Token()
	if err == nil {
		source.last = token
	}
	return token, err
}

// Opens the URL as a browser. The server signs the person in without a page.
func browse(login string) url.Values {
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response := must(browser.Get(login))
	return must(response.Location()).Query()
}

func call(ctx context.Context, source oauth2.TokenSource, api string) {
	response := must(oauth2.NewClient(ctx, source).Get(api))
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
