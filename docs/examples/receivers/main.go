package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func receive(response http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		response.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	// The body can be read only once: read it here, and decode these bytes.
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<23))
	if err != nil {
		response.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	secrets := strings.Split(os.Getenv("WEBHOOK_SECRET"), ",")
	genuine, err := Verify(body, request.Header, secrets, Tolerance, time.Now())
	if err != nil {
		fmt.Fprintln(os.Stderr, err) // no secret, or an empty one
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	if !genuine {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	if request.Header.Get("X-Service-Test") != "1" {
		var event struct{ ID string }
		if err := json.Unmarshal(body, &event); err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Println(event.ID) // your own work
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/webhooks", receive)
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	address := "127.0.0.1:" + port
	fmt.Println("http://" + address)
	if err := http.ListenAndServe(address, nil); err != nil {
		panic(err)
	}
}
