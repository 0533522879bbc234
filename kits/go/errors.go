package postern

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
)

// ownError is an error of this kit: a mistake of the test, or of Postern. It says nothing about the client.
type ownError interface{ isOwn() }

func (*RefusedError) isOwn()      {}
func (*MisbehaviourError) isOwn() {}
func (callError) isOwn()          {}

// callError says that a call has no answer, or another one than this kit knows.
type callError struct{ error }

// Unwrap returns the cause, if there is one.
func (e callError) Unwrap() error { return errors.Unwrap(e.error) }

func failed(format string, values ...any) error {
	return callError{fmt.Errorf(format, values...)}
}

// describe returns the text of a client's error. A name at its start says that a wait has ended, or that a
// connection has failed: it is no refusal then.
func describe(err error) string {
	var waited net.Error
	var network *net.OpError
	var sent *url.Error
	isEnd := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	switch {
	case isEnd, errors.As(err, &waited) && waited.Timeout():
		return "TimeoutError: " + err.Error()
	case errors.As(err, &network), errors.As(err, &sent) && errors.Is(sent, io.EOF):
		return "ConnectionError: " + err.Error()
	}
	return err.Error()
}

// RefusedError says that Postern refused a call. Its text is the sentence of the server, which says what
// to do.
type RefusedError struct {
	Status   int      `json:"-"`                 // that of the answer over HTTP
	Code     string   `json:"error"`             // the kind of refusal: invalid_request, not_found, refused, …
	Sentence string   `json:"error_description"` // what is wrong, and what to do
	Place    string   `json:"place"`             // where the mistake is: redirect_uris[0]; empty if there is none
	Expected string   `json:"expected"`          // what would have been right
	Refusal  *Refusal `json:"refusal"`           // that of the authorization server; nil if it has not refused
}

func (e *RefusedError) Error() string {
	known := strings.TrimPrefix(e.Expected, "must be one of ")
	if strings.Contains(e.Sentence, known) || strings.Contains(e.Sentence, "id you mean") {
		return e.Sentence
	}
	return fmt.Sprintf("%s (expected: %s)", e.Sentence, e.Expected)
}

// Reason returns the reason of the refusal: redirect_uri_unknown. Empty if there is no Refusal.
func (e *RefusedError) Reason() string {
	if e.Refusal == nil {
		return ""
	}
	return e.Refusal.Reason
}

// StartError says that the server does not run: there is no runtime, its flags are wrong, or it is another
// version.
type StartError struct{ callError }

func startError(format string, values ...any) error {
	return &StartError{callError{fmt.Errorf(format, values...)}}
}

func otherVersion(what, version string) error {
	return startError("%s is Postern %s, and this kit is %s: install the same version of both", what, version, Version)
}

// MisbehaviourError says that the client did not notice that the server was wrong, or that the test does
// not show whether it did.
type MisbehaviourError struct {
	Name    MisbehaviourName    // that of the misbehaviour: id_token.aud_wrong
	Verdict MisbehaviourVerdict // has the requests that prove it
	Refusal error               // what the client returned
}

func (e *MisbehaviourError) Error() string {
	lines := []string{fmt.Sprintf("%s: %s: %s", e.Name, e.Verdict.Outcome, e.Verdict.Because)}
	for _, each := range e.Verdict.Requests {
		lines = append(lines, "  "+each.String())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns what the client returned.
func (e *MisbehaviourError) Unwrap() error { return e.Refusal }

// String returns one line about the request: POST /oauth2/token: 400 invalid_grant: …
func (r RecordedRequest) String() string {
	answer := string(r.Outcome)
	if r.Status != 0 {
		answer = fmt.Sprint(r.Status)
	}
	if r.Refusal != nil {
		answer += fmt.Sprintf(" %s: %s", r.Refusal.Error, r.Refusal.Description)
	}
	return fmt.Sprintf("%s %s: %s", r.Method, r.Path, answer)
}
