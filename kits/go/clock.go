package postern

import (
	"context"
	"time"
)

// Clock is Postern's clock. It moves only when a test moves it, and no other clock moves with it. Each
// method returns the time after it.
type Clock struct {
	control *Control
}

// Now returns the time that Postern takes for now.
func (c *Clock) Now(ctx context.Context) (time.Time, error) {
	return timeOf(c.control.ShowClock(ctx))
}

// Advance moves the clock forward.
func (c *Clock) Advance(ctx context.Context, by time.Duration) (time.Time, error) {
	return c.move(ctx, MoveClockOptions{Advance: Set(by)})
}

// Set moves the clock to a time.
func (c *Clock) Set(ctx context.Context, to time.Time) (time.Time, error) {
	return c.move(ctx, MoveClockOptions{Set: to})
}

// Freeze stops the clock.
func (c *Clock) Freeze(ctx context.Context) (time.Time, error) {
	return c.move(ctx, MoveClockOptions{Freeze: true})
}

// FreezeAt stops the clock at a time.
func (c *Clock) FreezeAt(ctx context.Context, at time.Time) (time.Time, error) {
	return c.move(ctx, MoveClockOptions{Freeze: moment(at)})
}

// Resume starts a frozen clock again.
func (c *Clock) Resume(ctx context.Context) (time.Time, error) {
	return c.move(ctx, MoveClockOptions{Resume: true})
}

// Skew makes the server's clock wrong by a duration, which may be negative. 0 makes it right again.
func (c *Clock) Skew(ctx context.Context, by time.Duration) (time.Time, error) {
	return c.move(ctx, MoveClockOptions{Skew: Set(by)})
}

func (c *Clock) move(ctx context.Context, how MoveClockOptions) (time.Time, error) {
	return timeOf(c.control.MoveClock(ctx, &how))
}

func timeOf(state *ClockState, err error) (time.Time, error) {
	if err != nil {
		return time.Time{}, err
	}
	return state.Now, nil
}
