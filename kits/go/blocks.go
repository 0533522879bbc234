package postern

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Misbehave lets Postern be wrong while run runs: run has your client in it. The error that run returns is
// how the client refuses, and nil says that the client went on. An error of this kit is none of the client:
// Misbehave returns it as it is.
//
// The error of Misbehave is a [*MisbehaviourError] if the client was fooled, or if the test does not show
// what it did. docs/reference/misbehaviours.md has the names.
func (c *Control) Misbehave(
	ctx context.Context, name string, options *CreateMisbehaviourOptions, run func() error,
) (verdict *MisbehaviourVerdict, err error) {
	active, err := c.CreateMisbehaviour(ctx, name, options)
	if err != nil {
		return nil, err
	}
	own := Switch{ID: active.ID, connection: c.connection, path: "/misbehaviours/"}
	// A test that ends inside of run, as by t.Fatal, switches the misbehaviour off, too.
	defer func() {
		if closed := own.Close(); err == nil {
			err = closed
		}
	}()
	refusal := run()
	if isOwn(refusal) {
		return nil, refusal
	}
	end := &SettleMisbehaviourOptions{Result: LoginResultSuccess}
	if refusal != nil {
		end = &SettleMisbehaviourOptions{Result: LoginResultRefusal, Error: refusal.Error()}
	}
	verdict, err = c.SettleMisbehaviour(ctx, active.ID, end)
	if err != nil {
		return nil, err
	}
	switch verdict.Outcome {
	case OutcomeNoticed, OutcomeUnharmed, OutcomeTolerated, OutcomeNotApplicable:
		return verdict, nil
	}
	return verdict, &MisbehaviourError{Name: name, Verdict: *verdict, Refusal: refusal}
}

// isOwn returns whether the error is one of this kit: it is a mistake of the test, or of Postern.
func isOwn(err error) bool {
	var refused *RefusedError
	var start *StartError
	var misbehaviour *MisbehaviourError
	return errors.As(err, &refused) || errors.As(err, &start) || errors.As(err, &misbehaviour)
}

// Switch is something that is on until it is closed, or until the server of the test is removed.
type Switch struct {
	ID string // its name in other calls: hook-1

	*connection
	path string
}

// Close switches it off. What a reset has removed already is no error.
func (s *Switch) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), timeToEnd)
	defer cancel()
	err := s.send(ctx, request{method: "DELETE", path: s.path + url.PathEscape(s.ID)})
	var refused *RefusedError
	if errors.As(err, &refused) && refused.Code == "not_found" {
		return nil
	}
	return err
}

// Hook changes what Postern sends until the switch is closed: Hook(ctx, "id_token", patch, nil). The patch
// is a merge patch, where nil removes a member.
func (c *Control) Hook(
	ctx context.Context, name HookName, patch map[string]any, options *CreateHookOptions,
) (*Switch, error) {
	hook, err := c.CreateHook(ctx, name, patch, options)
	if err != nil {
		return nil, err
	}
	return &Switch{ID: hook.ID, connection: c.connection, path: "/hooks/"}, nil
}

// LookLike lets Postern answer as a provider does until the switch is closed: LookLike(ctx, "github", nil).
func (c *Control) LookLike(
	ctx context.Context, provider LookAlikeName, options *CreateLookAlikeOptions,
) (*Switch, error) {
	look, err := c.CreateLookAlike(ctx, provider, options)
	if err != nil {
		return nil, err
	}
	return &Switch{ID: look.ID, connection: c.connection, path: "/look_alikes/"}, nil
}

// GateSwitch is a gate that takes requests until it is closed. Then held requests go on.
type GateSwitch struct {
	Switch

	endpoint EndpointName
}

// Gate takes requests to an endpoint until it is closed: Gate(ctx, "token", postern.GateKindDrop, nil).
// The kind says whether it holds them, delays them, lets them fail, or loses the answer.
func (c *Control) Gate(
	ctx context.Context, endpoint EndpointName, kind GateKind, options *CreateGateOptions,
) (*GateSwitch, error) {
	gate, err := c.CreateGate(ctx, endpoint, kind, options)
	if err != nil {
		return nil, err
	}
	return &GateSwitch{Switch{ID: gate.ID, connection: c.connection, path: "/gates/"}, endpoint}, nil
}

// secondsOfAWatch is how long the server waits at most for one call.
const secondsOfAWatch = 30

// Wait waits until so many requests have come to the gate: until the deadline of the context, or five
// seconds if it has none.
func (g *GateSwitch) Wait(ctx context.Context, arrived int) (*WatchedGate, error) {
	whole := 5
	if deadline, has := ctx.Deadline(); has {
		// The answer comes before the deadline, so that the error can say how many have come.
		whole = max(int(time.Until(deadline).Seconds()-0.5), 0)
	}
	control := newControl(g.connection)
	for left := whole; ; {
		wait := min(left, secondsOfAWatch)
		gate, err := control.WatchGate(ctx, g.ID, &WatchGateOptions{Arrived: arrived, Wait: wait})
		if err != nil {
			return nil, err
		}
		if gate.Arrived {
			return gate, nil
		}
		if left -= wait; left == 0 {
			return nil, fmt.Errorf("%d of %d requests came to the endpoint %s within %d s", gate.Waiting, arrived, g.endpoint, whole)
		}
	}
}

// Release lets one held request go on, where 1 is the first that has come. 0 means all of them, and all
// that come later.
func (g *GateSwitch) Release(ctx context.Context, index int) error {
	control := newControl(g.connection)
	return control.ReleaseGate(ctx, g.ID, &ReleaseGateOptions{Index: index})
}
