package postern

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// files has the server as one file. A checkout of Postern has it after "deno task kits".
//
//go:embed server
var files embed.FS

const product, timeToAnswer = "postern-oauth-server", 5 * time.Second

// candidate is a program that may run the server.
type candidate struct {
	what     string                      // is looked for
	name     string                      // on the PATH
	flags    []string                    // come before the file
	asked    []string                    // makes the program print its version
	check    func(printed string) string // returns why it does not take what the program printed; nil takes all
	isServer bool                        // needs no file
}

var denoFlags = []string{
	"run", "--quiet", "--no-config", "--no-lock", "--no-prompt",
	"--allow-net", "--allow-sys", "--allow-env", "--allow-read", "--allow-write",
}

var candidates = []candidate{
	{what: "a postern " + Version, name: "postern", asked: []string{"version", "--json"}, check: checkPostern, isServer: true},
	{what: "Node 20.12 or later", name: "node", asked: []string{"--version"}, check: checkNode},
	{what: "Deno", name: "deno", flags: denoFlags, asked: []string{"--version"}},
	{what: "Bun", name: "bun", asked: []string{"--version"}},
}

const remedies = `Three ways to get one:
  https://nodejs.org, 20.12 or later   on the PATH
  https://deno.com or https://bun.sh   on the PATH
  POSTERN_COMMAND="…"                  the command of a Postern that you have`

// findCommand returns the command that runs the server. It writes the file of the server into the folder if
// the command needs it.
func findCommand(ctx context.Context, folder string) ([]string, error) {
	if given := os.Getenv("POSTERN_COMMAND"); strings.TrimSpace(given) != "" {
		words, err := splitCommand(given)
		if err == nil {
			_, err = exec.LookPath(words[0])
		}
		if err != nil {
			return nil, startError("POSTERN_COMMAND=%s cannot be started: %w", given, err)
		}
		return words, nil
	}
	var searched []string
	for _, each := range candidates {
		program, problem := each.find(ctx)
		if problem != "" {
			searched = append(searched, "  "+each.what+": "+problem)
			continue
		}
		if each.isServer {
			return []string{program}, nil
		}
		file, err := writeServer(folder)
		return append(append([]string{program}, each.flags...), file), err
	}
	return nil, startError("nothing here can run Postern %s. Looked for:\n%s\n%s",
		Version, strings.Join(searched, "\n"), remedies)
}

// find returns the path of the program, or why it is not taken.
func (c candidate) find(ctx context.Context) (program, problem string) {
	program, err := exec.LookPath(c.name)
	if err != nil {
		return "", "not on the PATH"
	}
	ctx, cancel := context.WithTimeout(ctx, timeToAnswer)
	defer cancel()
	asked := exec.CommandContext(ctx, program, c.asked...)
	asked.WaitDelay = time.Second
	output, err := asked.Output()
	printed := strings.TrimSpace(string(output))
	if err != nil || printed == "" {
		return "", program + " does not tell its version"
	}
	if c.check != nil {
		if problem = c.check(printed); problem != "" {
			return "", program + " " + problem
		}
	}
	return program, ""
}

func checkPostern(printed string) string {
	var own struct{ Product, Version string }
	if json.Unmarshal([]byte(printed), &own) != nil || own.Product != product {
		return "is another program"
	}
	if own.Version != Version {
		return "is version " + own.Version
	}
	return ""
}

func checkNode(printed string) string {
	var major, minor int
	if _, err := fmt.Sscanf(printed, "v%d.%d.", &major, &minor); err != nil {
		return "does not tell its version"
	}
	if major < 20 || major == 20 && minor < 12 {
		return "is " + printed + ", and 20.12 or later is needed"
	}
	return ""
}

func writeServer(folder string) (string, error) {
	text, err := files.ReadFile("server/postern.mjs")
	if err != nil {
		return "", startError("this kit has no server/postern.mjs: in a checkout of Postern, run deno task kits")
	}
	file := filepath.Join(folder, "postern.mjs")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", startError("the file of the server cannot be written: %w", err)
	}
	return file, nil
}

var word = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)
var quoted = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)

// splitCommand splits a command at spaces. Quotes keep the spaces between them.
func splitCommand(text string) ([]string, error) {
	if strings.ContainsAny(quoted.ReplaceAllString(text, ""), `"'`) {
		return nil, errors.New("a quote has no second one")
	}
	words := word.FindAllString(text, -1)
	for index, each := range words {
		words[index] = quoted.ReplaceAllString(each, "$1$2")
	}
	return words, nil
}
