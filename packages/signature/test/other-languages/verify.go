// Checks `authentic` of every vector: go run verify.go test-vectors.json
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

type vector struct {
	Name                  string
	Body                  struct{ Base64 []byte }
	Headers               [][2]string
	Secrets               []string
	Now, ToleranceSeconds float64
	Authentic             bool
}

func isAuthentic(v vector) bool {
	headers := map[string][]string{}
	for _, pair := range v.Headers {
		name := strings.ToLower(pair[0])
		headers[name] = append(headers[name], pair[1])
	}
	timestamp := strings.Join(headers["x-service-timestamp"], ",")
	seconds, _ := strconv.ParseFloat(timestamp, 64)
	matches := false
	for _, secret := range v.Secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(append([]byte(timestamp+"."), v.Body.Base64...))
		expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
		for _, given := range strings.Split(strings.Join(headers["x-service-signature"], ","), ",") {
			matches = hmac.Equal([]byte(strings.TrimSpace(given)), expected) || matches
		}
		if secret == "" {
			return false
		}
	}
	return matches && regexp.MustCompile(`^[0-9]+$`).MatchString(timestamp) && math.Abs(v.Now-seconds) <= v.ToleranceSeconds
}

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	wrong := 0
	for _, v := range file.Vectors {
		if isAuthentic(v) != v.Authentic {
			fmt.Println(v.Name)
			wrong++
		}
	}
	fmt.Printf("%d vectors, %d wrong\n", len(file.Vectors), wrong)
	if wrong > 0 || len(file.Vectors) == 0 {
		os.Exit(1)
	}
}
