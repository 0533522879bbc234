// Package api is a net/http middleware that verifies tokens with golang-jwt.
package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

// Resource is the audience of the tokens.
const Resource = "https://orders.example"

// RequireToken lets requests pass that have a token of the issuer for the API with the scope orders.
func RequireToken(ctx context.Context, issuer string, next http.Handler) (http.Handler, error) {
	keys, err := keyfunc.NewDefaultCtx(ctx, []string{issuer + "/oauth2/jwks"})
	if err != nil {
		return nil, err
	}
	parser := jwt.NewParser(
		jwt.WithIssuer(issuer),
		jwt.WithAudience(Resource),
		jwt.WithExpirationRequired(),
		jwt.WithValidMethods([]string{"RS256"}),
	)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		claims := jwt.MapClaims{}
		token, err := parser.ParseWithClaims(text, claims, keys.Keyfunc)
		if err != nil || token.Header["typ"] != "at+jwt" {
			http.Error(w, "invalid_token", http.StatusUnauthorized)
			return
		}
		scope, _ := claims["scope"].(string)
		if !strings.Contains(" "+scope+" ", " orders ") {
			http.Error(w, "insufficient_scope", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}
