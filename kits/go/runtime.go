package postern

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// files has the server as one file. A checkout of Postern has it after "deno task kits".
//
//go:embed server
var files embed.FS

const (
	product      = "postern-oauth-server"
	timeToAnswer = 5 * time.Second
)

// candidate is a program that may run the server.
type candidate struct {
	what     string                      // is looked for
	name     string                      // on the PATH
	flags    []string                    // come before the file
	asked    []string                    // makes the program print its version
	check    func(printed string) string // returns why it does not take what the program printed
	isServer bool                        // needs no file
}

var denoFlags = []string{
	"run", "--quiet", "--no-config", "--no-lock", "--no-prompt",
	"--allow-net", "--allow-sys", "--allow-env", "--allow-read", "--allow-write",
}

var candidates = []candidate{
	{what: "a postern " + Version, name: "postern", asked: []string{"version", "--json"}, check: checkPostern, isServer: true},
	{what: "Node 20.12 or later", name: "node", asked: []string{"--version"}, check: checkNode},
	{what: "Deno", name: "deno", flags: denoFlags, asked: []string{"--version"}, check: checkOther},
	{what: "Bun", name: "bun", asked: []string{"--version"}, check: checkOther},
}

const remedies = `Three ways to get one:
  https://nodejs.org, 20.12 or later   on the PATH
  https://deno.com or https://bun.sh   on the PATH
  POSTERN_COMMAND="…"                  the command of a Postern that you have`

// findCommand returns the command that runs the server. It writes the file of the server into the folder if
// the command needs it.
func findCommand(ctx context.Context, folder string) ([]string, error) {
	if given := os.Getenv("POSTERN_COMMAND"); strings.TrimSpace(given) != "" {
		return splitCommand(given)
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
	return nil, startError(nil, "nothing here can run Postern %s. Looked for:\n%s\n%s",
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
	printed, err := asked.Output()
	if err != nil {
		return "", program + " does not tell its version"
	}
	if problem := c.check(strings.TrimSpace(string(printed))); problem != "" {
		return "", program + " " + problem
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

func checkOther(printed string) string {
	if printed == "" {
		return "does not tell its version"
	}
	return ""
}

func writeServer(folder string) (string, error) {
	text, err := files.ReadFile("server/postern.mjs")
	if err != nil {
		return "", startError(nil, "this kit has no server/postern.mjs: in a checkout of Postern, run deno task kits")
	}
	file := filepath.Join(folder, "postern.mjs")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", startError(err, "the file of the server cannot be written")
	}
	return file, nil
}

// splitCommand splits a command at spaces. Quotes keep the spaces between them.
func splitCommand(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	isWord := false
	for _, each := range text {
		switch {
		case each == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(each)
		case each == '"' || each == '\'':
			quote, isWord = each, true
		case unicode.IsSpace(each):
			if isWord {
				words = append(words, word.String())
			}
			word.Reset()
			isWord = false
		default:
			word.WriteRune(each)
			isWord = true
		}
	}
	if quote != 0 {
		return nil, startError(nil, "POSTERN_COMMAND has no second %c: %s", quote, text)
	}
	if isWord {
		words = append(words, word.String())
	}
	return words, nil
}
