// Copy this file into your receiver, and name its package after yours: the standard library is all it needs.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Tolerance is how far the time of a delivery may be from now.
const Tolerance = 300 * time.Second

var digits = regexp.MustCompile(`^[0-9]{1,15}$`)

// Verify tells whether a delivery is genuine and its time at most the tolerance from now. The body is the bytes that came,
// before anything parses them; secrets are the webhook's signing secrets: one, or both while it is being rotated.
func Verify(body []byte, headers http.Header, secrets []string, tolerance time.Duration, now time.Time) (bool, error) {
	timestamp := strings.Join(headers.Values("X-Service-Timestamp"), ",")
	signatures := strings.Split(strings.Join(headers.Values("X-Service-Signature"), ","), ",")
	matches := false
	for _, secret := range secrets {
		if secret == "" {
			return false, errors.New("secrets: one of them is empty")
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(timestamp + "."))
		mac.Write(body)
		expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
		for _, given := range signatures {
			matches = hmac.Equal([]byte(strings.TrimSpace(given)), expected) || matches
		}
	}
	if len(secrets) == 0 {
		return false, errors.New("secrets: pass the webhook's signing secret")
	}
	if !digits.MatchString(timestamp) {
		return false, nil
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false, err
	}
	sent := time.Unix(seconds, 0)
	return matches && !sent.Before(now.Add(-tolerance)) && !sent.After(now.Add(tolerance)), nil
}
