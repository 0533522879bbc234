// Package postern gives each test an OAuth 2.1 and OpenID Connect server of its own: strict by default,
// and wrong on demand.
//
//	func TestLogin(t *testing.T) {
//		as := postern.New(t)
//		tokens, err := as.Login(t.Context(), "bob", nil)
//		…
//	}
//
// The first call of [New] starts a process, which the tests of the package share. Each test has a tenant
// of it, with its own people, clients, clock and requests.
package postern

import (
	"context"
	"crypto/rand"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Postern is an authorization server for one test. Its methods may be called from several goroutines.
type Postern struct {
	Control

	Issuer string  // the URL that identifies the server to clients, with its metadata below it
	Server *Server // the process that the tests share
}

// New returns an authorization server for this test, and removes it when the test ends. A test that fails
// logs the whole flow, and why the last request was refused.
//
// The flags are those of "postern start", such as "--config", "shop.jsonc". Tests with the same flags
// share a process, which ends with the test binary, or by [CloseShared].
//
// If POSTERN_URL is set, New takes the server that runs there, and the flags have no effect.
// POSTERN_CONTROL_TOKEN is its key, and POSTERN_CERTIFICATE the file with the authority of its certificate,
// if it has these.
func New(t testing.TB, flags ...string) *Postern {
	t.Helper()
	server, err := share(flags)
	if err != nil {
		t.Fatal(err)
	}
	as, err := server.Tenant(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The context of the test has ended.
		ctx, cancel := context.WithTimeout(context.Background(), timeToEnd)
		defer cancel()
		if t.Failed() {
			t.Log(as.Report(ctx))
		}
		if err := as.Close(ctx); err != nil {
			t.Errorf("the test's server cannot be removed: %v", err)
		}
	})
	return as
}

// Report returns what a failed test shows: the flow, why the last request was refused, and the last lines
// of the process.
func (as *Postern) Report(ctx context.Context) string {
	parts := []string{"Postern at " + as.Issuer}
	for _, ask := range []func(context.Context) (string, error){as.Timeline, as.Explain} {
		text, err := ask(ctx)
		if err != nil {
			text = err.Error()
		}
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, text)
		}
	}
	if log := as.Server.Log(); log != "" {
		parts = append(parts, "The last lines of Postern:\n"+log)
	}
	return strings.Join(parts, "\n\n")
}

// Close removes the server with all that it has. [New] does so when the test ends. A second call is no error.
func (as *Postern) Close(ctx context.Context) error {
	return as.remove(ctx, "")
}

// Server is a process that tests share, or one that ran already.
type Server struct {
	Control

	Started Started // what the process has printed when it was ready; empty if it ran already
	process *process
}

// Started is what a server says about itself when it is ready.
type Started struct {
	Issuer  string `json:"issuer"`
	Control string `json:"control"`
	Version string `json:"version"`
	TLSCA   string `json:"tls_ca"`   // the file with the authority of a server with --tls
	Proxy   string `json:"proxy"`    // the URL of the proxy of a server with --proxy
	ProxyCA string `json:"proxy_ca"` // the file with the authority of the proxy
}

// Start starts a server of its own, with flags of "postern start". It ends with [Server.Close], and in any
// case with this process. The context is for the start alone.
func Start(ctx context.Context, flags ...string) (*Server, error) {
	// "go test" runs a test again when a file has changed that it has asked for.
	for _, flag := range flags {
		_, _ = os.Stat(flag[strings.Index(flag, "=")+1:])
	}
	started, err := startProcess(ctx, flags)
	if err != nil {
		return nil, err
	}
	server, err := newServer(started.started.Control, started.key, started.started.TLSCA)
	if err != nil {
		started.close()
		return nil, err
	}
	server.process = started
	server.Started = started.started
	return server, nil
}

// Connect finds a server that runs with --control, and checks that it is this version. The key is empty if
// the server has none. The certificate is the file with the authority of a server with TLS, or empty.
func Connect(ctx context.Context, address, key, certificate string) (*Server, error) {
	address = strings.TrimRight(address, "/")
	server, err := newServer(address+"/_postern", key, certificate)
	if err != nil {
		return nil, err
	}
	ask := request{method: "GET", path: "/openapi.json", member: "info"}
	found, err := call[struct{ Version string }](ctx, server.connection, ask)
	if err != nil {
		return nil, startError("%s is no Postern with --control: %w", address, err)
	}
	if found.Version == "" {
		return nil, startError("%s is no Postern with --control: it does not tell its version", address)
	}
	if found.Version != Version {
		return nil, otherVersion(address, found.Version)
	}
	return server, nil
}

func newServer(control, key, certificate string) (*Server, error) {
	client, err := newClient(certificate, nil)
	return &Server{Control: newControl(&connection{control, key, client})}, err
}

// Tenant creates a server for one test or for several. The name is for people: it becomes a part of the
// issuer. [Postern.Close] removes the server.
func (s *Server) Tenant(ctx context.Context, name string) (*Postern, error) {
	name = toWord(name) + "-" + strings.ToLower(rand.Text()[:8])
	own := newControl(&connection{s.url + "/tenants/" + name, s.key, s.client})
	issuer, err := call[string](ctx, own.connection, request{method: "POST", member: "issuer"})
	if err != nil {
		return nil, err
	}
	return &Postern{Control: own, Issuer: issuer, Server: s}, nil
}

var notInWord = regexp.MustCompile(`[^a-z0-9]+`)

func toWord(name string) string {
	word := notInWord.ReplaceAllString(strings.ToLower(strings.TrimPrefix(name, "Test")), "-")
	word = strings.Trim(word[:min(len(word), 40)], "-")
	if word == "" {
		return "test"
	}
	return word
}

// Log returns the last lines that the process has printed. Empty if the server ran already.
func (s *Server) Log() string {
	if s.process == nil {
		return ""
	}
	return s.process.log()
}

// Close ends the process, if [Start] started it, and waits until it has ended.
func (s *Server) Close() error {
	s.connection.client.CloseIdleConnections()
	if s.process != nil {
		s.process.close()
	}
	return nil
}

// timeToStart is long, because a first start on a busy machine takes long.
const timeToStart, timeToEnd = 60 * time.Second, 20 * time.Second

var shared sync.Map

// share returns the server of all tests with these flags. A start that failed is not tried again.
func share(flags []string) (*Server, error) {
	address, name := os.Getenv("POSTERN_URL"), strings.Join(flags, "\x00")
	if address != "" {
		name = address
	}
	start, _ := shared.LoadOrStore(name, sync.OnceValues(func() (*Server, error) {
		ctx, cancel := context.WithTimeout(context.Background(), timeToStart)
		defer cancel()
		if address != "" {
			return Connect(ctx, address, os.Getenv("POSTERN_CONTROL_TOKEN"), os.Getenv("POSTERN_CERTIFICATE"))
		}
		return Start(ctx, flags...)
	}))
	return start.(func() (*Server, error))()
}

// CloseShared ends the processes that [New] has started, and waits until they have ended: for a TestMain
// that looks for goroutines or processes that are left. After it, New starts new ones.
func CloseShared() {
	shared.Range(func(name, start any) bool {
		shared.Delete(name)
		if server, err := start.(func() (*Server, error))(); err == nil {
			_ = server.Close()
		}
		return true
	})
}
