package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	postern "github.com/postern/postern/kits/go"
)

const login = `package shop

import (
	"testing"

	postern "github.com/postern/postern/kits/go"
)

func TestLogin(t *testing.T) {
	if _, err := postern.New(t).Login(t.Context(), "bob", nil); err != nil {
		t.Fatal(err)
	}
}
`

// TestModuleOfAZip takes the kit as docs/go.md does: from the folder of a module proxy, without replace.
func TestModuleOfAZip(t *testing.T) {
	folder := t.TempDir()
	proxy := filepath.Join(folder, "proxy")
	shop := filepath.Join(folder, "shop")
	if err := os.Mkdir(shop, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "login_test.go": login} {
		if err := os.WriteFile(filepath.Join(shop, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(in string, args ...string) {
		t.Helper()
		command := exec.Command("go", args...)
		command.Dir = in
		if in == shop {
			command.Env = append(os.Environ(), "GOPROXY=file://"+proxy, "GONOSUMDB=github.com/postern",
				"GOFLAGS=-modcacherw", "GOMODCACHE="+filepath.Join(folder, "modules"), "GOWORK=off")
		}
		if printed, err := command.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %s\n%v", args, printed, err)
		}
	}
	run(".", "run", "./proxy", proxy)
	run(shop, "get", "github.com/postern/postern/kits/go@v"+postern.Version)
	run(shop, "test", "./...")
}
