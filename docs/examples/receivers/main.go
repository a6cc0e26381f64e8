package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	signature "github.com/hookwright/hookwright/packages/signature/verifiers/go"
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
	event, err := signature.Verify(body, request.Header, secrets)
	var refused *signature.Error
	if errors.As(err, &refused) {
		fmt.Fprintln(os.Stderr, refused) // it contains no secret
		response.WriteHeader(refused.Status())
		fmt.Fprint(response, refused.Code)
		return
	}
	if !event.Test {
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
