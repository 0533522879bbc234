package postern

import (
	"context"
	"errors"
	"math"
	"net/url"
	"time"
)

// Misbehave lets Postern be wrong while run runs: run has your client in it. The error that run returns is
// how the client refuses, and nil says that the client went on. A timeout and a failed connection are no
// refusal. An error of this kit is none of the client: Misbehave returns it as it is.
//
// The error of Misbehave is a [*MisbehaviourError] if the client was fooled, or if the test does not show
// what it did. docs/reference/misbehaviours.md has the names.
func (c *Control) Misbehave(
	ctx context.Context, name MisbehaviourName, options *CreateMisbehaviourOptions, run func() error,
) (verdict *MisbehaviourVerdict, err error) {
	active, err := c.CreateMisbehaviour(ctx, name, options)
	if err != nil {
		return nil, err
	}
	own := Switch{active.ID, c, "/misbehaviours/"}
	// A test that ends inside of run, as by t.Fatal, switches the misbehaviour off, too.
	defer func() {
		if closed := own.Close(); err == nil {
			err = closed
		}
	}()
	refusal := run()
	if mistake := ownError(nil); errors.As(refusal, &mistake) {
		return nil, refusal
	}
	end := &SettleMisbehaviourOptions{Result: LoginResultSuccess}
	if refusal != nil {
		end = &SettleMisbehaviourOptions{Result: LoginResultRefusal, Error: describe(refusal)}
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

// Switch is something that is on until it is closed, or until the server of the test is removed.
type Switch struct {
	ID string // its name in other calls: hook-1

	control *Control
	path    string
}

// Close switches it off. What a reset has removed already is no error.
func (s *Switch) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), timeToEnd)
	defer cancel()
	return s.control.remove(ctx, s.path+url.PathEscape(s.ID))
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
	return &Switch{hook.ID, c, "/hooks/"}, nil
}

// LookLike lets Postern answer as a provider does until the switch is closed: LookLike(ctx, "github", nil).
func (c *Control) LookLike(
	ctx context.Context, provider LookAlikeName, options *CreateLookAlikeOptions,
) (*Switch, error) {
	look, err := c.CreateLookAlike(ctx, provider, options)
	if err != nil {
		return nil, err
	}
	return &Switch{look.ID, c, "/look_alikes/"}, nil
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
	return &GateSwitch{Switch{gate.ID, c, "/gates/"}, endpoint}, nil
}

// longestWatch is how long the server waits at most for one call, and usualWait how long a test does.
const longestWatch, usualWait = 30 * time.Second, 5 * time.Second

// Wait waits until so many requests have come to the gate: until the context ends, or five seconds if it
// has no deadline. The error says how many have come.
func (g *GateSwitch) Wait(ctx context.Context, arrived int) (*WatchedGate, error) {
	deadline, has := ctx.Deadline()
	if !has {
		deadline = time.Now().Add(usualWait)
	}
	waiting, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	for waiting.Err() == nil {
		// The server takes whole seconds. The context ends a call that is longer.
		left := time.Duration(math.Ceil(time.Until(deadline).Seconds())) * time.Second
		gate, err := g.watch(waiting, arrived, min(max(left, 0), longestWatch))
		if err == nil && gate.Arrived || err != nil && waiting.Err() == nil {
			return gate, err
		}
	}
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), usualWait)
	defer cancelLast()
	gate, err := g.watch(last, arrived, 0)
	if err != nil || gate.Arrived {
		return gate, err
	}
	return nil, failed("%d of %d requests came to the endpoint %s: %w", gate.Waiting, arrived, g.endpoint, waiting.Err())
}

func (g *GateSwitch) watch(ctx context.Context, arrived int, wait time.Duration) (*WatchedGate, error) {
	return g.control.WatchGate(ctx, g.ID, &WatchGateOptions{Arrived: arrived, Wait: wait})
}

// Release lets one held request go on, where 1 is the first that has come. 0 means all of them, and all
// that come later.
func (g *GateSwitch) Release(ctx context.Context, index int) error {
	return g.control.ReleaseGate(ctx, g.ID, &ReleaseGateOptions{Index: index})
}
