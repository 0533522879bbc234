package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

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

// TestModuleOfAZip takes the kit as a user does: from a module proxy, without replace.
func TestModuleOfAZip(t *testing.T) {
	version := module.Version{Path: "github.com/postern/postern/kits/go", Version: "v" + postern.Version}
	folder := t.TempDir()
	proxy := filepath.Join(folder, "proxy", version.Path, "@v")
	shop := filepath.Join(folder, "shop")
	if err := os.MkdirAll(proxy, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(shop, 0o700); err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		filepath.Join(proxy, version.Version+".mod"):  string(own),
		filepath.Join(proxy, version.Version+".info"): `{"Version":"` + version.Version + `"}`,
		filepath.Join(shop, "go.mod"):                 "module example.com/shop\n\ngo 1.24\n\nrequire " + version.Path + " " + version.Version + "\n",
		filepath.Join(shop, "login_test.go"):          login,
	}
	for file, text := range files {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made, err := os.Create(filepath.Join(proxy, version.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	if err := zip.CreateFromDir(made, version, ".."); err != nil {
		t.Fatal(err)
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "test", "-modcacherw", "./...")
	run.Dir = shop
	run.Env = append(os.Environ(),
		"GOPROXY=file://"+filepath.Join(folder, "proxy"), "GONOSUMDB=*", "GOFLAGS=-mod=mod",
		"GOMODCACHE="+filepath.Join(folder, "modules"), "GOWORK=off",
	)
	if printed, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v", printed, err)
	}
}
