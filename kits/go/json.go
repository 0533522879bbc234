package postern

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"time"
)

// Optional is a value that may be absent, null, or zero: [Set], [Null], or nothing.
type Optional[T any] struct {
	value *T
	isSet bool
}

// Set returns a value that is sent, also if it is false, 0 or empty.
func Set[T any](value T) Optional[T] { return Optional[T]{&value, true} }

// Null returns a value that removes what is there.
func Null[T any]() Optional[T] { return Optional[T]{nil, true} }

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (T, bool) {
	if o.value == nil {
		var none T
		return none, false
	}
	return *o.value, true
}

// String returns the value as text, for messages.
func (o Optional[T]) String() string {
	switch value, has := o.Get(); {
	case has:
		return fmt.Sprint(value)
	case o.isSet:
		return "null"
	}
	return "not set"
}

// IsZero returns whether the value is absent.
func (o Optional[T]) IsZero() bool { return !o.isSet }

// MarshalJSON writes the value, or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if duration, is := any(o.value).(*time.Duration); is && duration != nil {
		return seconds(*duration).MarshalJSON()
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads the value, or null.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	*o = Null[T]()
	if string(text) == "null" {
		return nil
	}
	o.value = new(T)
	if duration, is := any(o.value).(*time.Duration); is {
		return json.Unmarshal(text, (*seconds)(duration))
	}
	return json.Unmarshal(text, o.value)
}

// Strings is a list of texts. A scope and a resource are one, also if they have one text.
type Strings []string

// UnmarshalJSON reads a list of texts, or one text.
func (s *Strings) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		*s = make(Strings, 1)
		return json.Unmarshal(text, &(*s)[0])
	}
	return json.Unmarshal(text, (*[]string)(s))
}

// seconds is a duration as JSON has it.
type seconds time.Duration

func (s seconds) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, time.Duration(s).Seconds(), 'f', -1, 64), nil
}

func (s *seconds) UnmarshalJSON(text []byte) error {
	var number float64
	if err := json.Unmarshal(text, &number); err != nil {
		return err
	}
	if number = math.Round(number * 1e9); math.Abs(number) >= math.MaxInt64 {
		return fmt.Errorf("%s seconds are more than a time.Duration can be", text)
	}
	*s = seconds(number)
	return nil
}

// moment is a time as JSON has it: seconds since 1970.
type moment time.Time

func (m moment) IsZero() bool { return time.Time(m).IsZero() }

func (m moment) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(time.Time(m).UnixMilli())/1000, 'f', -1, 64), nil
}

func (m *moment) UnmarshalJSON(text []byte) error {
	var number float64
	if err := json.Unmarshal(text, &number); err != nil {
		return err
	}
	*m = moment(time.UnixMilli(int64(math.Round(number * 1000))).UTC())
	return nil
}

// members are some of a body or of a query. Empty texts are left out.
type members map[string]any

func (t *Tokens) members() members {
	if t == nil {
		return nil
	}
	own := members{"access_token": t.AccessToken, "refresh_token": t.RefreshToken, "id_token": t.IDToken}
	if t.AuthorizationDetails != nil {
		own["authorization_details"] = t.AuthorizationDetails
	}
	return own
}

// Tokens returns the expired copies, for the calls that take tokens.
func (e *ExpiredTokens) Tokens() *Tokens {
	details := e.AuthorizationDetails
	return &Tokens{AccessToken: e.AccessToken, RefreshToken: e.RefreshToken, IDToken: e.IDToken, AuthorizationDetails: details}
}

// merge returns the members of all parts. A part is a pointer to a struct, or members.
func merge(parts []any) (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	for _, part := range parts {
		if own, is := part.(members); is {
			maps.DeleteFunc(own, func(_ string, value any) bool { return value == "" })
		}
		text, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		if string(text) == "null" {
			continue
		}
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, err
		}
	}
	return all, nil
}
