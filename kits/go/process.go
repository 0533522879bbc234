package postern

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// process is a server that this program has started. It ends with this program, because its standard
// input closes then.
type process struct {
	started Started
	key     string

	end   func() // closes the standard input
	ready chan struct{}
	ended chan struct{}

	mutex sync.Mutex
	lines []string
}

const mostLines = 200

// startProcess starts the server as kits/README.md says.
func startProcess(ctx context.Context, flags []string) (*process, error) {
	ctx, cancel := context.WithTimeout(ctx, timeToStart)
	defer cancel()
	folder, err := os.MkdirTemp("", "postern-")
	if err != nil {
		return nil, startError("there is no place for the file of the server: %w", err)
	}
	// A runtime has read the file when the server is ready.
	defer os.RemoveAll(folder)
	command, err := findCommand(ctx, folder)
	if err != nil {
		return nil, err
	}
	command = append(command, "start", "--control", "--port", "0", "--log", "json")
	command = append(command, "--quiet", "--no-inspector", "--end-with-input")
	command = append(command, flags...)
	p := &process{key: rand.Text() + rand.Text(), ready: make(chan struct{}), ended: make(chan struct{})}
	if err := p.run(command, timeToEnd); err != nil {
		return nil, startError("%s cannot be started: %w", command[0], err)
	}
	select {
	case <-p.ready:
	case <-p.ended:
	case <-ctx.Done():
		p.close()
		return nil, startError("the context ended before the server was ready: %w\n%s", ctx.Err(), p.log())
	}
	switch p.started.Version {
	case Version:
		return p, nil
	case "":
		err = startError("the server does not start: %s\n%s", strings.Join(command, " "), p.log())
	default:
		err = otherVersion(command[0], p.started.Version)
	}
	p.close()
	return nil, err
}

// run starts the command. It is killed if it has not ended so long after its input.
func (p *process) run(command []string, limit time.Duration) error {
	ctx, end := context.WithCancel(context.Background())
	p.end = end
	started := exec.CommandContext(ctx, command[0], command[1:]...)
	// The other variables with this prefix are flags of the server.
	own := slices.DeleteFunc(os.Environ(), func(each string) bool { return strings.HasPrefix(each, "POSTERN_") })
	started.Env = append(own, "POSTERN_CONTROL_TOKEN="+p.key, "NO_COLOR=1")
	input, err := started.StdinPipe()
	if err != nil {
		return err
	}
	started.Cancel, started.WaitDelay = input.Close, limit
	output, problems := &lineWriter{take: p.look}, &lineWriter{take: p.keep}
	started.Stdout, started.Stderr = output, problems
	if err := started.Start(); err != nil {
		return err
	}
	go func() {
		_ = started.Wait() // How it ended is in its lines, and the last may have no end.
		if rest := append(output.rest, problems.rest...); len(rest) > 0 {
			p.keep(rest)
		}
		close(p.ended)
	}()
	return nil
}

// lineWriter hands on each line.
type lineWriter struct {
	rest []byte
	take func(line []byte)
}

func (w *lineWriter) Write(text []byte) (int, error) {
	lines := bytes.Split(append(w.rest, text...), []byte("\n"))
	for _, line := range lines[:len(lines)-1] {
		w.take(line)
	}
	w.rest = lines[len(lines)-1]
	return len(text), nil
}

func (p *process) keep(line []byte) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.lines = append(p.lines, string(line))
	p.lines = p.lines[max(0, len(p.lines)-mostLines):]
}

func (p *process) look(line []byte) {
	p.keep(line)
	var entry struct {
		Message string `json:"message"`
		Started
	}
	if p.started.Version == "" && json.Unmarshal(line, &entry) == nil && entry.Message == "started" {
		p.started = entry.Started
		close(p.ready)
	}
}

func (p *process) log() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return strings.TrimSpace(strings.Join(p.lines, "\n"))
}

// close ends the process, and waits until it has ended.
func (p *process) close() {
	p.end()
	<-p.ended
}
