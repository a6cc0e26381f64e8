// Checks `authentic` of every vector: go run check_vectors.go verify.go test-vectors.json
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
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
	headers := http.Header{}
	for _, pair := range v.Headers {
		headers.Add(pair[0], pair[1])
	}
	tolerance := time.Duration(v.ToleranceSeconds) * time.Second
	authentic, err := Verify(v.Body.Base64, headers, v.Secrets, tolerance, time.UnixMilli(int64(v.Now*1000)))
	return authentic && err == nil
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
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
