package postern

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
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

	command *exec.Cmd
	input   io.Closer
	ready   chan struct{}
	read    sync.WaitGroup
	ended   chan struct{}

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
		return nil, startError(err, "there is no place for the file of the server")
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
	p.command = exec.Command(command[0], command[1:]...)
	// The other variables with this prefix are flags of the server.
	own := slices.DeleteFunc(os.Environ(), func(each string) bool { return strings.HasPrefix(each, "POSTERN_") })
	p.command.Env = append(own, "POSTERN_CONTROL_TOKEN="+p.key, "NO_COLOR=1")
	if err := p.run(); err != nil {
		return nil, startError(err, "%s cannot be started", command[0])
	}
	select {
	case <-p.ready:
	case <-p.ended:
	case <-ctx.Done():
	}
	if ctx.Err() != nil || p.started.Control == "" {
		err := errors.Join(ctx.Err(), p.close())
		return nil, startError(err, "the server does not start: %s\n%s", strings.Join(command, " "), p.log())
	}
	if p.started.Version != Version {
		return nil, errors.Join(otherVersion(command[0], p.started.Version), p.close())
	}
	return p, nil
}

func (p *process) run() error {
	input, noInput := p.command.StdinPipe()
	output, noOutput := p.command.StdoutPipe()
	problems, noProblems := p.command.StderrPipe()
	if err := errors.Join(noInput, noOutput, noProblems); err != nil {
		return err
	}
	if err := p.command.Start(); err != nil {
		return err
	}
	p.input = input
	p.read.Add(2)
	go p.follow(output, true)
	go p.follow(problems, false)
	go func() {
		p.read.Wait()
		_ = p.command.Wait() // How it ended is in its lines.
		close(p.ended)
	}()
	return nil
}

func (p *process) follow(stream io.Reader, isLog bool) {
	defer p.read.Done()
	lines := bufio.NewReader(stream)
	for isReady := !isLog; ; {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			p.keep(string(line))
			isReady = isReady || p.look(line)
		}
		if err != nil {
			return
		}
	}
}

func (p *process) keep(line string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.lines = append(p.lines, line)
	p.lines = p.lines[max(0, len(p.lines)-mostLines):]
}

func (p *process) look(line []byte) bool {
	var entry struct {
		Message string `json:"message"`
		Started
	}
	if json.Unmarshal(line, &entry) != nil || entry.Message != "started" {
		return false
	}
	p.started = entry.Started
	close(p.ready)
	return true
}

func (p *process) log() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return strings.Join(p.lines, "\n")
}

// close ends the process, and waits until it has ended.
func (p *process) close() error { return p.end(timeToEnd) }

// end kills the process if it does not end by itself within the limit.
func (p *process) end(limit time.Duration) error {
	_ = p.input.Close() // It may be closed already.
	select {
	case <-p.ended:
		return nil
	case <-time.After(limit):
	}
	if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(timeToEnd):
		return errors.New("the server was killed, and a program that it has started still runs")
	}
}
