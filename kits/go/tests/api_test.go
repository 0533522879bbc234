package tests

import (
	"net/http"
	"net/http/httptest"
	"testing"

	postern "github.com/postern/postern/kits/go"
	"github.com/postern/postern/kits/go/tests/api"
)

func ask(t *testing.T, as *postern.Postern, token string) int {
	t.Helper()
	own, err := api.RequireToken(t.Context(), as.Issuer, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest("GET", "/orders", nil)
	request.Header.Set("Authorization", "Bearer "+token)
	answer := httptest.NewRecorder()
	own.ServeHTTP(answer, request)
	return answer.Code
}

func mint(t *testing.T, as *postern.Postern, scope string) string {
	t.Helper()
	token, err := as.Mint(t.Context(), "bob", &postern.MintOptions{
		Scope:    []string{scope},
		Resource: []string{api.Resource},
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// The handler behind the middleware answers 404.
func TestAPI(t *testing.T) {
	as := postern.New(t)
	for scope, status := range map[string]int{"orders": http.StatusNotFound, "openid": http.StatusForbidden} {
		if answered := ask(t, as, mint(t, as, scope)); answered != status {
			t.Errorf("%s: %d", scope, answered)
		}
	}
	expired, err := as.ExpireToken(t.Context(), mint(t, as, "orders"))
	if err != nil {
		t.Fatal(err)
	}
	if answered := ask(t, as, expired.Token); answered != http.StatusUnauthorized {
		t.Errorf("expired: %d", answered)
	}
}

func TestAPIRefusesForgedTokens(t *testing.T) {
	as := postern.New(t)
	forgeries, err := as.ListForgeries(t.Context())
	if err != nil || len(forgeries) < 50 {
		t.Fatal(len(forgeries), err)
	}
	for _, each := range []postern.ForgeryName{
		postern.ForgeryNameAccessTokenExpired,
		postern.ForgeryNameAccessTokenAlgNone,
		"access_token.audience_wrong",
	} {
		forged, err := as.Forge(t.Context(), each, &postern.ForgeOptions{
			Scope:    []string{"orders"},
			Resource: []string{api.Resource},
		})
		if err != nil {
			t.Fatal(err)
		}
		if answered := ask(t, as, forged.Token); answered != forged.Verdict.Status {
			t.Errorf("%s: %d, and %s", each, answered, forged.Verdict.Why)
		}
	}
}
