// An API that go-jwt-middleware protects.
package main

import (
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	jwtmiddleware "github.com/auth0/go-jwt-middleware/v2"
	"github.com/auth0/go-jwt-middleware/v2/jwks"
	"github.com/auth0/go-jwt-middleware/v2/validator"
)

func main() {
	issuer, err := url.Parse(os.Getenv("ISSUER"))
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
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
