// Package shop is an application that signs people in with x/oauth2 and go-oidc, as Go people write it.
package shop

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Shop is a client of an authorization server.
type Shop struct {
	// IsNaive says that the shop does not read its ID tokens.
	IsNaive bool

	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
	client   *http.Client
}

// Open reads the metadata of the server.
func Open(ctx context.Context, issuer string, client *http.Client) (*Shop, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, client), issuer)
	if err != nil {
		return nil, err
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams // The shop is a public client.
	return &Shop{
		oauth: oauth2.Config{
			ClientID:    "shop",
			RedirectURL: "http://localhost:3000/callback",
			Endpoint:    endpoint,
			Scopes:      []string{oidc.ScopeOpenID, "orders", oidc.ScopeOfflineAccess},
		},
		verifier: provider.VerifierContext(oidc.ClientContext(ctx, client), &oidc.Config{ClientID: "shop"}),
		client:   client,
	}, nil
}

// Browser opens a URL, lets a person sign in, and returns the URL to which the browser comes back.
type Browser func(ctx context.Context, url string) (string, error)

// SignIn signs a person in.
func (s *Shop) SignIn(ctx context.Context, browser Browser) (*oauth2.Token, error) {
	ctx = oidc.ClientContext(ctx, s.client)
	state, nonce, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), oidc.Nonce(nonce)}
	callback, err := browser(ctx, s.oauth.AuthCodeURL(state, options...))
	if err != nil {
		return nil, err
	}
	back, err := url.Parse(callback)
	if err != nil {
		return nil, err
	}
	if back.Query().Get("state") != state {
		return nil, errors.New("this is not the answer to our request")
	}
	token, err := s.oauth.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil || s.IsNaive {
		return token, err
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := s.verifier.Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	if id.Nonce != nonce {
		return nil, errors.New("the ID token is not for this login")
	}
	return token, nil
}

// Refresh redeems the refresh token.
func (s *Shop) Refresh(ctx context.Context, refreshToken string) (*oauth2.Token, error) {
	ctx = oidc.ClientContext(ctx, s.client)
	return s.oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshToken}).Token()
}

// SignInByDevice asks for a code, which show shows to a person, and waits until the person has typed it.
func (s *Shop) SignInByDevice(ctx context.Context, show func(userCode string) error) (*oauth2.Token, error) {
	ctx = oidc.ClientContext(ctx, s.client)
	device, err := s.oauth.DeviceAuth(ctx)
	if err != nil {
		return nil, err
	}
	if err := show(device.UserCode); err != nil {
		return nil, err
	}
	device.Interval = 1
	return s.oauth.DeviceAccessToken(ctx, device)
}
