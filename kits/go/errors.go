package postern

import (
	"fmt"
	"strings"
)

// RefusedError says that Postern refused a call. Its text is the sentence of the server, which says what
// to do.
type RefusedError struct {
	Status   int      // that of the answer over HTTP
	Code     string   // the kind of refusal: invalid_request, not_found, refused, …
	Sentence string   // what is wrong, and what to do
	Place    string   // where the mistake is: redirect_uris[0]; empty if there is none
	Expected string   // what would have been right; empty if the sentence says it
	Refusal  *Refusal // that of the authorization server; nil if it has not refused
}

func (e *RefusedError) Error() string {
	if e.Expected == "" || strings.Contains(e.Sentence, "id you mean") {
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
type StartError struct {
	text string
	err  error
}

func (e *StartError) Error() string {
	if e.err == nil {
		return e.text
	}
	return e.text + ": " + e.err.Error()
}

// Unwrap returns the cause, if there is one.
func (e *StartError) Unwrap() error { return e.err }

func startError(err error, format string, values ...any) error {
	return &StartError{fmt.Sprintf(format, values...), err}
}

func otherVersion(what, version string) error {
	return startError(nil, "%s is Postern %s, and this kit is %s: install the same version of both", what, version, Version)
}

// MisbehaviourError says that the client did not notice that the server was wrong, or that the test does
// not show whether it did.
type MisbehaviourError struct {
	Name    string              // that of the misbehaviour: id_token.aud_wrong
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
