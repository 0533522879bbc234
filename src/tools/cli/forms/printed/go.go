//: if signs
// this client authenticates with __METHOD__, and golang.org/x/oauth2 cannot sign an assertion
//: else if login
// main.go: go mod init app && go mod tidy && go run .
// this program __SERVED_NOTE__
// __SECRET_NOTE__
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
//: if secret
	"os"
//: end

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	server := must(oidc.NewProvider(ctx, __ISSUER__))
	endpoint := server.Endpoint()
//: if client_secret_basic
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
//: else
	endpoint.AuthStyle = oauth2.AuthStyleInParams
//: end
	config := oauth2.Config{
//: if secret
		ClientID:     __CLIENT_ID__,
		ClientSecret: os.Getenv("OAUTH_CLIENT_SECRET"),
		RedirectURL:  __SERVED_URI__,
		Scopes:       []string{__SCOPES__},
		Endpoint:     endpoint,
//: else
		ClientID:    __CLIENT_ID__,
		RedirectURL: __SERVED_URI__,
		Scopes:      []string{__SCOPES__},
		Endpoint:    endpoint,
//: end
	}
	state, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	fmt.Println("Open", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	http.HandleFunc(__SERVED_PATH__, func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("state") != state || r.FormValue("iss") != __ISSUER__ {
			http.Error(w, "not our answer", http.StatusBadRequest)
			return
		}
		token := must(config.Exchange(ctx, r.FormValue("code"), oauth2.VerifierOption(verifier)))
//: if openid
		rawIDToken, _ := token.Extra("id_token").(string)
		must(server.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, rawIDToken))
		person := must(server.UserInfo(ctx, config.TokenSource(ctx, token)))
		fmt.Fprintln(w, person.Subject, person.Email)
//: else
		fmt.Fprintln(w, token.Extra("scope"))
//: end
	})
	log.Fatal(http.ListenAndServe("localhost:__SERVED_PORT__", nil))
}
//: else if itself
// main.go: go mod init app && go mod tidy && go run .
// __SECRET_NOTE__
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	config := clientcredentials.Config{
		ClientID:     __CLIENT_ID__,
		ClientSecret: os.Getenv("OAUTH_CLIENT_SECRET"),
		TokenURL:     __TOKEN_URL__,
//: if client_secret_basic
		AuthStyle:    oauth2.AuthStyleInHeader,
//: else
		AuthStyle:    oauth2.AuthStyleInParams,
//: end
	}
	fmt.Println(must(config.Token(context.Background())).AccessToken)
}
//: else
// __SIGN_IN_PROBLEM__
//: end
//: if runs
//: if not signs

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
//: end
//: end
