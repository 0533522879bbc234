// Command proxy writes the kit into a folder as a module proxy serves it, so that go get takes it from there.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	postern "github.com/postern/postern/kits/go"
)

const kit = ".." // seen from the module of the tests, in which the command runs

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("go run ./proxy FOLDER, in kits/go/tests"))
	}
	version := module.Version{Path: "github.com/postern/postern/kits/go", Version: "v" + postern.Version}
	if err := write(version, filepath.Join(os.Args[1], version.Path, "@v")); err != nil {
		fail(err)
	}
	fmt.Println(version)
}

func write(version module.Version, folder string) error {
	if _, err := os.Stat(filepath.Join(kit, "server", "postern.mjs")); err != nil {
		return fmt.Errorf("the kit has no server yet, which deno task kits makes: %w", err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(kit, "go.mod"))
	if err != nil {
		return err
	}
	file := filepath.Join(folder, version.Version)
	if err := os.WriteFile(file+".mod", own, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(file+".info", []byte(`{"Version":"`+version.Version+`"}`), 0o644); err != nil {
		return err
	}
	made, err := os.Create(file + ".zip")
	if err != nil {
		return err
	}
	return errors.Join(zip.CreateFromDir(made, version, kit), made.Close())
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
