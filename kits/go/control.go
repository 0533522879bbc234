package postern

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Control has the calls of the control plane that a server and a tenant have.
type Control struct {
	// Clock is the clock of this server. It moves only when a test moves it.
	Clock *Clock

	*connection
}

func newControl(own *connection) Control {
	return Control{&Clock{&Control{connection: own}}, own}
}

// connection is where the control plane is, and the key for it.
type connection struct {
	url    string
	key    string
	client *http.Client
}

// newClient returns a client that trusts the authority in the file, in addition to those of the system.
// It reads no variables, so that a proxy of the user has no effect on this machine's own servers.
func newClient(authority string, proxy *url.URL) (*http.Client, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}
	if proxy != nil {
		transport.Proxy = http.ProxyURL(proxy)
	}
	if authority != "" {
		text, err := os.ReadFile(authority)
		if err != nil {
			return nil, startError("the certificate of the server cannot be read: %w", err)
		}
		trusted, err := x509.SystemCertPool()
		if err != nil {
			trusted = x509.NewCertPool()
		}
		if !trusted.AppendCertsFromPEM(text) {
			return nil, startError("%s has no certificate", authority)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	}
	return &http.Client{Transport: transport}, nil
}

// Client returns an HTTP client for this server, which trusts its certificate if TLS is on.
func (c *Control) Client() *http.Client {
	return &http.Client{Transport: c.client.Transport}
}

// ProxyClient returns an HTTP client that meets the look-alikes of this process at the hosts of their
// providers. The process was started with the flag --proxy.
func (s *Server) ProxyClient() (*http.Client, error) {
	if s.Started.Proxy == "" {
		return nil, failed(`this server has no proxy: start it with the flags "--proxy", "0"`)
	}
	proxy, err := url.Parse(s.Started.Proxy)
	if err != nil {
		return nil, failed("the proxy of the server has no URL: %w", err)
	}
	return newClient(s.Started.ProxyCA, proxy)
}

type request struct {
	method string
	path   string
	// members are those of the query of a GET, and otherwise of the body. A call without a body has none.
	members []any
	// member is that of the answer which has the value. Empty: the answer is the value.
	member string
}

// call returns the value of an answer.
func call[T any](ctx context.Context, c *connection, r request) (T, error) {
	var answer, none T
	text, err := c.sendForText(ctx, r)
	if err != nil {
		return none, err
	}
	if r.member == "" {
		err = json.Unmarshal([]byte(text), &answer)
	} else {
		var all map[string]json.RawMessage
		err = json.Unmarshal([]byte(text), &all)
		if value, has := all[r.member]; has {
			err = json.Unmarshal(value, &answer)
		}
	}
	if err != nil {
		return none, failed("Postern answers %s %s with something else than this kit knows: %w", r.method, r.path, err)
	}
	return answer, nil
}

func (c *connection) send(ctx context.Context, r request) error {
	_, err := c.sendForText(ctx, r)
	return err
}

func (c *connection) sendForText(ctx context.Context, r request) (string, error) {
	asked, err := c.write(ctx, r)
	if err != nil {
		return "", failed("%s %s cannot be sent: %w", r.method, r.path, err)
	}
	response, err := c.client.Do(asked)
	if err != nil {
		return "", failed("Postern does not answer: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", failed("the answer of Postern ends too early: %w", err)
	}
	if response.StatusCode >= 400 {
		return "", readRefusal(response.StatusCode, text)
	}
	return string(text), nil
}

func (c *connection) write(ctx context.Context, r request) (*http.Request, error) {
	all, err := merge(r.members)
	if err != nil {
		return nil, err
	}
	target, body := c.url+r.path, io.Reader(nil)
	if r.method != http.MethodGet && r.members != nil {
		text, err := json.Marshal(all)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	} else if len(all) > 0 {
		values := url.Values{}
		for name, value := range all {
			var text string
			if json.Unmarshal(value, &text) != nil {
				text = string(value)
			}
			values.Set(name, text)
		}
		target += "?" + values.Encode()
	}
	asked, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		asked.Header.Set("Content-Type", "application/json")
	}
	asked.Header.Set("Accept", "application/json, */*")
	if c.key != "" {
		asked.Header.Set("Authorization", "Bearer "+c.key)
	}
	return asked, nil
}

func readRefusal(status int, text []byte) error {
	refused := &RefusedError{}
	if json.Unmarshal(text, refused) != nil || refused.Code == "" {
		refused = &RefusedError{Code: "failed", Sentence: fmt.Sprintf("HTTP %d: %s", status, text[:min(len(text), 300)])}
	}
	refused.Status = status
	return refused
}

// remove removes what is at the path. What is gone already, as after a reset, is no error.
func (c *connection) remove(ctx context.Context, path string) error {
	err := c.send(ctx, request{method: "DELETE", path: path})
	var refused *RefusedError
	if errors.As(err, &refused) && refused.Code == "not_found" {
		return nil
	}
	return err
}

// Requests returns the requests to an endpoint that Postern has received, the oldest first. An empty
// endpoint means all. [Control.ListRequests] can also wait for one.
func (c *Control) Requests(ctx context.Context, endpoint EndpointName) ([]RecordedRequest, error) {
	list, err := c.ListRequests(ctx, &ListRequestsOptions{Endpoint: endpoint})
	if err != nil {
		return nil, err
	}
	return list.Requests, nil
}

// Timeline returns all that has happened as text. [Control.ShowTimeline] has other forms.
func (c *Control) Timeline(ctx context.Context) (string, error) {
	return c.ShowTimeline(ctx, nil)
}
