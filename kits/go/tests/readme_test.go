package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// helpers are what the programs of the README take from the reader's own code. Those of a page have all in them.
const helpers = `package shop

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	postern "github.com/postern/postern/kits/go"
	"github.com/postern/postern/kits/go/tests/api"
	"github.com/postern/postern/kits/go/tests/shop"
)

func openAPI(t *testing.T, issuer string) http.Handler {
	own, err := api.RequireToken(t.Context(), issuer, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	return own
}

func ask(handler http.Handler, token string) int {
	request := httptest.NewRequest("GET", "/orders", nil)
	request.Header.Set("Authorization", "Bearer "+token)
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer.Code
}

func signIn(ctx context.Context, as *postern.Postern) error {
	own, err := shop.Open(ctx, as.Issuer, as.Client())
	if err != nil {
		return err
	}
	_, err = own.SignIn(ctx, func(ctx context.Context, url string) (string, error) {
		callback, err := as.Authorize(ctx, url, "bob", nil)
		if err != nil {
			return "", err
		}
		return callback.URL, nil
	})
	return err
}
`

var program = regexp.MustCompile("(?ms)^```go (\\w+\\.go)[^\\n]*\\n(.*?)^```$")

var test = regexp.MustCompile(`(?m)^func (Test\w+)`)

func TestProgramsOfTheReadme(t *testing.T) { runPage(t, "../README.md", 3, helpers) }

// The pages are there in a checkout of Postern.
func TestProgramsOfThePage(t *testing.T) { runPage(t, "../../../docs/go.md", 4, "") }

func TestProgramOfMovingOver(t *testing.T) { runPage(t, "../../../docs/moving/go.md", 1, "") }

func runPage(t *testing.T, page string, programs int, helpers string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	found := program.FindAllStringSubmatch(string(text), -1)
	if len(found) != programs {
		t.Fatalf("%d programs", len(found))
	}
	// The folder is in this module, so that the programs have its libraries.
	folder, err := os.MkdirTemp(".", "readme-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	files := map[string]string{}
	if helpers != "" {
		files["helpers_test.go"] = helpers
	}
	var names []string
	for _, each := range found {
		files[each[1]] = each[2]
		names = append(names, test.FindAllString(each[2], -1)...)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if printed, err := exec.Command("gofmt", "-l", folder).CombinedOutput(); err != nil || len(printed) > 0 {
		t.Errorf("not as gofmt writes it: %s %v", printed, err)
	}
	printed, err := exec.Command("go", "test", "-v", "./"+folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v", printed, err)
	}
	for _, name := range names {
		if !strings.Contains(string(printed), "--- PASS: "+strings.TrimPrefix(name, "func ")) {
			t.Errorf("%s did not run:\n%s", name, printed)
		}
	}
}
