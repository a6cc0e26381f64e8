// Package signature verifies webhook deliveries. It needs the standard library only.
package signature

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Code says why a delivery was refused. It never changes.
type Code string

// The readme describes each code.
const (
	NoSecret                  Code = "no_secret"
	InvalidOption             Code = "invalid_option"
	BodyNotRaw                Code = "body_not_raw"
	MissingHeader             Code = "missing_header"
	MalformedHeader           Code = "malformed_header"
	TimestampOutsideTolerance Code = "timestamp_outside_tolerance"
	SignatureMismatch         Code = "signature_mismatch"
	InvalidJSON               Code = "invalid_json"
	InvalidEnvelope           Code = "invalid_envelope"
	EventMismatch             Code = "event_mismatch"
)

// Error is the only error that Verify returns: a *Error. It contains no secret and no expected signature, so it may be logged.
type Error struct {
	Code    Code
	Message string
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Status is the HTTP status to answer with.
func (e *Error) Status() int {
	switch e.Code {
	case NoSecret, InvalidOption, BodyNotRaw:
		return http.StatusInternalServerError
	case InvalidJSON, InvalidEnvelope:
		return http.StatusBadRequest
	}
	return http.StatusUnauthorized
}

// Event is the body of a genuine delivery.
type Event struct {
	// ID and the site of Project together identify the event on every retry.
	ID, Event     string
	Project, Data json.RawMessage
	// Test tells whether it is a test from the console. Its header is not signed.
	Test bool
}

type settings struct {
	tolerance time.Duration
	now       time.Time
	prefix    string
}

// Option changes a default of Verify.
type Option func(*settings)

// WithTolerance sets how far the time of a delivery may be from now, in both directions: 300 seconds by default.
func WithTolerance(tolerance time.Duration) Option {
	return func(s *settings) { s.tolerance = tolerance }
}

// WithTime sets the time to compare with: time.Now() by default.
func WithTime(now time.Time) Option { return func(s *settings) { s.now = now } }

// WithHeaderPrefix sets the prefix of the header names, if the sender has one of its own: X-Service by default.
func WithHeaderPrefix(prefix string) Option { return func(s *settings) { s.prefix = prefix } }

var (
	prefixPattern    = regexp.MustCompile(`^[A-Za-z0-9-]{1,40}$`)
	timestampPattern = regexp.MustCompile(`^[0-9]+$`)
	signaturePattern = regexp.MustCompile(`^v1=[0-9a-f]{64}$`)
)

// Verify returns the event of a delivery that is genuine, or an *Error. The body is the bytes that came, before anything
// parses them; secrets are the webhook's signing secrets: one, or several while it is being rotated.
func Verify(body []byte, header http.Header, secrets []string, options ...Option) (*Event, error) {
	s := settings{tolerance: 300 * time.Second, now: time.Now(), prefix: "X-Service"}
	for _, option := range options {
		option(&s)
	}
	// Anybody can sign with an empty key, so it is refused even beside others.
	if len(secrets) == 0 {
		return nil, &Error{NoSecret, "there is no secret: is its variable set?"}
	}
	for _, secret := range secrets {
		if secret == "" {
			return nil, &Error{NoSecret, "a secret is empty: is its variable set?"}
		}
	}
	if s.tolerance < 0 {
		return nil, &Error{InvalidOption, "the tolerance is negative"}
	}
	if !prefixPattern.MatchString(s.prefix) {
		return nil, &Error{InvalidOption, "the header prefix is not like X-Acme"}
	}
	if body == nil {
		return nil, &Error{BodyNotRaw, "the body is missing: pass the bytes that came"}
	}
	prefix := strings.ToLower(s.prefix)
	timestamp := read(header, prefix+"-timestamp")
	if timestamp == "" {
		return nil, &Error{MissingHeader, "no " + prefix + "-timestamp: pass all headers"}
	}
	signature := read(header, prefix+"-signature")
	if signature == "" {
		return nil, &Error{MissingHeader, "no " + prefix + "-signature: pass all headers"}
	}
	if !timestampPattern.MatchString(timestamp) {
		return nil, &Error{MalformedHeader, prefix + "-timestamp is repeated or not an integer"}
	}
	var given []string
	for _, value := range strings.Split(signature, ",") {
		if value = strings.TrimSpace(value); signaturePattern.MatchString(value) {
			given = append(given, value)
		}
	}
	if given == nil {
		return nil, &Error{MalformedHeader, prefix + "-signature is not v1= and 64 lower-case hex digits"}
	}
	if err := checkTime(timestamp, s, prefix); err != nil {
		return nil, err
	}
	if !matches(body, timestamp, given, secrets) {
		return nil, &Error{SignatureMismatch, explainMismatch(body, secrets)}
	}
	event, err := parse(body)
	if err != nil {
		return nil, err
	}
	if values := header.Values(prefix + "-event"); len(values) > 0 && strings.Join(values, ",") != event.Event {
		return nil, &Error{EventMismatch, prefix + "-event is not the event in the body"}
	}
	event.Test = read(header, prefix+"-test") == "1"
	return event, nil
}

// read joins a repeated header with commas, so a repeated timestamp is no integer.
func read(header http.Header, name string) string {
	return strings.Join(header.Values(name), ",")
}

func checkTime(timestamp string, s settings, prefix string) error {
	// All are digits: the only error is a number that is too large, which is then +Inf.
	sent, _ := strconv.ParseFloat(timestamp, 64)
	now := float64(s.now.Unix()) + float64(s.now.Nanosecond())/1e9
	distance := max(now-sent, sent-now)
	if distance <= s.tolerance.Seconds() {
		return nil
	}
	const milliseconds = 1e11 // later than any date in seconds
	reason := "a replay, or a wrong clock"
	if sent >= milliseconds && now < milliseconds {
		reason = prefix + "-timestamp is in milliseconds"
	} else if now >= milliseconds && sent < milliseconds {
		reason = "now is in milliseconds"
	}
	side := "ahead of"
	if now > sent {
		side = "behind"
	}
	return &Error{TimestampOutsideTolerance,
		fmt.Sprintf("the timestamp is %.3f s %s now, the limit is %s: %s", distance, side, s.tolerance, reason)}
}

// matches compares all, so the time tells nothing.
func matches(body []byte, timestamp string, given, secrets []string) bool {
	found := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "."))
		mac.Write(body)
		expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
		for _, value := range given {
			found = hmac.Equal([]byte(value), expected) || found
		}
	}
	return found
}

func explainMismatch(body []byte, secrets []string) string {
	if len(body) == 0 {
		return "the body is empty: it was never read, or something read it before"
	}
	trimmed := ""
	for _, secret := range secrets {
		if strings.TrimSpace(secret) != secret {
			trimmed = ", trimmed"
		}
	}
	return "no signature matches: the secret is wrong (pass the whole whsec_ text" + trimmed +
		"), or the body was changed (parsed, re-encoded, or still base64)"
}

func parse(body []byte) (*Event, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !json.Valid(body) {
		return nil, &Error{InvalidJSON, "the signature matches, but the body is not JSON"}
	}
	// A map, because struct fields match names in any case.
	var fields map[string]json.RawMessage
	event := &Event{}
	if json.Unmarshal(body, &fields) == nil {
		event.Project, event.Data = fields["project"], fields["data"]
	}
	// {type, timestamp, data, id, project}, the other form that a sender may choose.
	var timestamp string
	if _, found := fields["event"]; !found && readText(fields["timestamp"], &timestamp) {
		fields["event"] = fields["type"]
	}
	if !readText(fields["id"], &event.ID) || !readText(fields["event"], &event.Event) ||
		!isObject(event.Project) || !isObject(event.Data) {
		return nil, &Error{InvalidEnvelope, "the signature matches, but the body is not {id, event, project, data}"}
	}
	return event, nil
}

func readText(value json.RawMessage, text *string) bool {
	return len(value) > 0 && value[0] == '"' && json.Unmarshal(value, text) == nil
}

func isObject(value json.RawMessage) bool {
	return len(value) > 0 && (value[0] == '{' || value[0] == '[')
}
