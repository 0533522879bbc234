package postern_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	postern "github.com/postern/postern/kits/go"
)

// TestMain is the parent that a test kills, if the variable says so.
func TestMain(m *testing.M) {
	if os.Getenv("KILLED_PARENT") == "" {
		os.Exit(m.Run())
	}
	server, err := postern.Start(context.Background())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(server.Started.Issuer)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func writeProgram(t *testing.T, folder, name, script string) string {
	t.Helper()
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

func mustStart(t *testing.T, flags ...string) *postern.Server {
	t.Helper()
	server, err := postern.Start(t.Context(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server
}

func mustFail(t *testing.T, parts []string, flags ...string) {
	t.Helper()
	server, err := postern.Start(t.Context(), flags...)
	if err == nil {
		_ = server.Close()
		t.Fatal("the server starts")
	}
	var failed *postern.StartError
	if !errors.As(err, &failed) {
		t.Errorf("the error is a %T", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
}

func requireGone(t *testing.T, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		answer, err := http.Get(address)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
		if err == nil {
			answer.Body.Close()
		}
		if ctx.Err() != nil {
			t.Fatalf("%s still answers: %v", address, err)
		}
		runtime.Gosched()
	}
}

func TestServerEndsWhenItIsClosed(t *testing.T) {
	server := mustStart(t, "--alg", "ES256")
	as, err := server.Tenant(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := as.Login(t.Context(), "bob", nil); err != nil {
		t.Fatal(err)
	}
	if tenants, err := server.ListTenants(t.Context()); err != nil || len(tenants) != 1 {
		t.Errorf("the tenants are %v, %v", tenants, err)
	}
	if err := as.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tenants, err := server.ListTenants(t.Context()); err != nil || len(tenants) != 0 {
		t.Errorf("after it, the tenants are %v, %v", tenants, err)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	requireGone(t, server.Started.Issuer)
	if err := server.Close(); err != nil {
		t.Errorf("a second close: %v", err)
	}
	if _, err := server.ShowServer(t.Context()); err == nil || !strings.Contains(err.Error(), "Postern does not answer") {
		t.Errorf("after the end: %v", err)
	}
}

func TestKilledParentLeavesNoServer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("tried on Linux only")
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(own)
	parent.Env = append(os.Environ(), "KILLED_PARENT=1")
	input, _ := parent.StdinPipe()
	output, _ := parent.StdoutPipe()
	defer input.Close()
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	issuer := strings.TrimSpace(line)
	answer, asked := http.Get(issuer + "/health")
	if err := errors.Join(err, asked); err != nil {
		t.Fatal(line, err)
	}
	answer.Body.Close()
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	requireGone(t, issuer)
}

func TestKeyIsNeitherAnArgumentNorInTheLog(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "seen")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	// the folder for temporary files may have spaces in its name
	script := fmt.Sprintf(`printf '%%s\n' "$@" >'%s'; printf %%s "$POSTERN_CONTROL_TOKEN" >'%s.key'; env >'%s.env'; exec '%s' "$@"`, file, file, file, node)
	writeProgram(t, folder, "node", `if [ "$1" = --version ]; then echo v20.12.0; exit; fi; `+script)
	t.Setenv("PATH", folder+":/usr/bin:/bin")
	t.Setenv("POSTERN_ISSUER", "https://another.example")
	server := mustStart(t)
	arguments, _ := os.ReadFile(file)
	key, _ := os.ReadFile(file + ".key")
	environment, _ := os.ReadFile(file + ".env")
	if len(key) < 32 || strings.Contains(string(arguments), string(key)) || strings.Contains(server.Log(), string(key)) {
		t.Errorf("the key has %d characters, the arguments are %s", len(key), arguments)
	}
	if strings.Contains(string(environment), "POSTERN_ISSUER") {
		t.Error("a variable of the user is a flag")
	}
	answer, err := http.Get(server.Started.Control + "/tenants")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the key: %s", answer.Status)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(strings.Split(string(arguments), "\n")[0]), "*")); len(left) != 0 {
		t.Errorf("the file of the server stays: %v", left)
	}
}

func TestNoRuntime(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	node := writeProgram(t, folder, "node", "echo v18.20.4")
	writeProgram(t, folder, "postern", "echo another program")
	mustFail(t, []string{
		"nothing here can run Postern " + postern.Version,
		"a postern " + postern.Version + ": " + folder + "/postern is another program",
		"Node 20.12 or later: " + node + " is v18.20.4, and 20.12 or later is needed",
		"Deno: not on the PATH",
		"Bun: not on the PATH",
		"Three ways to get one",
		"https://nodejs.org",
		"https://deno.com",
		"POSTERN_COMMAND",
	})
}

func TestFirstRuntimeIsTaken(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	line := `{"message":"started","control":"http://localhost:1","version":"%s"}`
	expect := func(name string) {
		t.Helper()
		mustFail(t, []string{filepath.Join(folder, name) + " is Postern of-" + name})
	}
	write := func(name, asked, printed string) {
		started := strings.Replace(line, "%s", "of-"+name, 1)
		writeProgram(t, folder, name, fmt.Sprintf(
			`if [ "$1" = %s ]; then echo '%s'; exit; fi; echo '%s'; while read -r each; do :; done`, asked, printed, started))
	}
	write("bun", "--version", "1.4.5")
	expect("bun")
	write("deno", "--version", "deno 2.9.6")
	expect("deno")
	write("node", "--version", "v20.11.9")
	expect("deno")
	write("node", "--version", "v20.12.0")
	expect("node")
	answer := `{"product":"postern-oauth-server","version":"%s"}`
	write("postern", "version", strings.Replace(answer, "%s", "99.0.0", 1))
	expect("node")
	write("postern", "version", strings.Replace(answer, "%s", postern.Version, 1))
	expect("postern")
	write("other", "none", "")
	t.Setenv("POSTERN_COMMAND", "'"+filepath.Join(folder, "other")+"'")
	expect("other")
}

func TestCommandThatDoesNotExist(t *testing.T) {
	t.Setenv("POSTERN_COMMAND", "/no/such/program")
	mustFail(t, []string{"POSTERN_COMMAND=/no/such/program cannot be started: ", "no such file"})
	t.Setenv("POSTERN_COMMAND", `node "/a b`)
	mustFail(t, []string{`POSTERN_COMMAND=node "/a b cannot be started: a quote has no second one`})
}

func TestWrongFlag(t *testing.T) {
	mustFail(t, []string{"there is no flag --confg: did you mean --config"}, "--confg", "shop.jsonc")
}

func TestPortThatIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	mustFail(t, []string{"the server does not start", port}, "--tls", "--mtls-port", port)
}

func TestServerThatNeverStarts(t *testing.T) {
	ended := filepath.Join(t.TempDir(), "ended")
	file := writeProgram(t, t.TempDir(), "late", "while read -r each; do :; done; echo >'"+ended+"'")
	t.Setenv("POSTERN_COMMAND", "'"+file+"'")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(nil)
	_, err := postern.Start(ctx)
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "the context ended before the server was ready: ") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(ended); err != nil {
		t.Errorf("the program still runs: %v", err)
	}
}

func TestSharedProcessThatIsClosed(t *testing.T) {
	var address string
	t.Run("TestFirst", func(t *testing.T) { address = postern.New(t, "--alg", "ES256").Server.Started.Issuer })
	postern.CloseShared()
	requireGone(t, address)
	t.Run("TestSecond", func(t *testing.T) {
		if _, err := postern.New(t, "--alg", "ES256").Login(t.Context(), "bob", nil); err != nil {
			t.Error(err)
		}
	})
}

// The test that runs here is one of another module, so that "go test" may remember its result.
func TestChangedConfigurationRunsTheTestAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a module")
	}
	kit, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		// A result is not remembered if a file is younger than two seconds.
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/shop\n\ngo 1.24\n\nrequire github.com/postern/postern/kits/go v0.0.0\n\n"+
		"replace github.com/postern/postern/kits/go => "+strconv.Quote(kit)+"\n")
	write("login_test.go", `package shop

import (
	"testing"

	postern "github.com/postern/postern/kits/go"
)

func TestPeople(t *testing.T) {
	people, err := postern.New(t, "--config=shop.jsonc").ListPeople(t.Context(), nil)
	if err != nil || people[0].Username != "ann" {
		t.Fatal(people, err)
	}
}
`)
	run := func() string {
		command := exec.Command("go", "test", ".")
		command.Dir = folder
		command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
		printed, _ := command.CombinedOutput()
		return string(printed)
	}
	write("shop.jsonc", `{"people": [{"username": "ann"}]}`)
	if printed := run(); !strings.HasPrefix(printed, "ok") {
		t.Fatal(printed)
	}
	if printed := run(); !strings.Contains(printed, "(cached)") {
		t.Errorf("the result is not remembered: %s", printed)
	}
	write("shop.jsonc", `{"people": [{"username": "carol"}]}`)
	if printed := run(); !strings.Contains(printed, "FAIL") {
		t.Errorf("the change is not seen: %s", printed)
	}
}

func TestTLS(t *testing.T) {
	server := mustStart(t, "--tls")
	as, err := server.Tenant(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(as.Issuer, "https://") {
		t.Errorf("the issuer is %s", as.Issuer)
	}
	answer, err := as.Client().Get(as.Issuer + "/.well-known/openid-configuration")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if _, err := http.Get(as.Issuer); err == nil {
		t.Error("a client without the authority trusts the server")
	}
}

func TestServerThatRunsAlready(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "key")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	writeProgram(t, folder, "node", fmt.Sprintf(`printf %%s "$POSTERN_CONTROL_TOKEN" >'%s'; exec '%s' "$@"`, file, node))
	t.Setenv("PATH", folder)
	running := mustStart(t)
	key, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	issuer := running.Started.Issuer
	if _, err := postern.Connect(t.Context(), issuer, "another key", ""); err == nil || !strings.Contains(err.Error(), "is no Postern with --control") {
		t.Errorf("with another key: %v", err)
	}
	if _, err := postern.Connect(t.Context(), "http://localhost:1", "", ""); err == nil {
		t.Error("nothing runs there")
	}
	t.Setenv("POSTERN_URL", issuer+"/")
	t.Setenv("POSTERN_CONTROL_TOKEN", string(key))
	t.Run("TestWithTenant", func(t *testing.T) {
		as := postern.New(t, "--no-such-flag")
		if !strings.HasPrefix(as.Issuer, issuer+"/") {
			t.Errorf("the issuer is %s", as.Issuer)
		}
		if _, err := as.Login(t.Context(), "bob", nil); err != nil {
			t.Error(err)
		}
	})
	if tenants, err := running.ListTenants(t.Context()); err != nil || len(tenants) != 0 {
		t.Errorf("after the test, there are %v, %v", tenants, err)
	}
}

func TestRunningServerOfAnotherVersion(t *testing.T) {
	same := "install the same version of both"
	noVersion := " is no Postern with --control: it does not tell its version"
	for answer, want := range map[string]string{
		`{"info":{"version":"99.0.0"}}`: " is Postern 99.0.0, and this kit is " + postern.Version + ": " + same,
		`{"info":{"version":""}}`:       noVersion,
		`{"info":{}}`:                   noVersion,
		`{"version":"99.0.0"}`:          noVersion,
		`{}`:                            noVersion,
		`[]`:                            " is no Postern with --control: ",
	} {
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, answer)
		}))
		_, err := postern.Connect(t.Context(), other.URL, "", "")
		if err == nil || !strings.HasPrefix(err.Error(), other.URL+want) {
			t.Errorf("%s: the error is %v", answer, err)
		}
		other.Close()
	}
}
