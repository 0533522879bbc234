// An API that go-jwt-middleware protects: go mod init api && go mod tidy && go run go_jwt_middleware.go
package main

import (
	"fmt"
	"log"
	"net/http"
	"net/url"
	"time"

	jwtmiddleware "github.com/auth0/go-jwt-middleware/v2"
	"github.com/auth0/go-jwt-middleware/v2/jwks"
	"github.com/auth0/go-jwt-middleware/v2/validator"
)

func main() {
	issuer, err := url.Parse("http://localhost:9000")
	if err != nil {
		log.Fatal(err)
	}
	provider := jwks.NewCachingProvider(issuer, 5*time.Minute)
	jwtValidator, err := validator.New(
		provider.KeyFunc, validator.RS256, issuer.String(), []string{"https://api.test"},
	)
	if err != nil {
		log.Fatal(err)
	}
	middleware := jwtmiddleware.New(jwtValidator.ValidateToken)
	orders := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	http.Handle("/orders", middleware.CheckJWT(orders))
	log.Fatal(http.ListenAndServe("localhost:3000", nil))
}
