package signature

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"testing"
	"time"
)

type vector struct {
	Name                  string
	Body                  struct{ Base64 []byte }
	Headers               [][2]string
	Secrets               []string
	Now, ToleranceSeconds float64
	HeaderPrefix          *string
	Expected              struct {
		EventID, Error string
		Test           bool
	}
}

// The shared vectors are in the repository; VECTORS names another file.
func TestVectors(t *testing.T) {
	file := os.Getenv("VECTORS")
	if file == "" {
		file = "../../test-vectors.json"
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip(err)
	}
	var vectors struct{ Vectors []vector }
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, v := range vectors.Vectors {
		header := http.Header{}
		for _, pair := range v.Headers {
			header.Add(pair[0], pair[1])
		}
		options := []Option{
			WithTime(time.UnixMilli(int64(math.Round(v.Now * 1000)))),
			WithTolerance(time.Duration(v.ToleranceSeconds) * time.Second),
		}
		if v.HeaderPrefix != nil {
			options = append(options, WithHeaderPrefix(*v.HeaderPrefix))
		}
		event, err := Verify(v.Body.Base64, header, v.Secrets, options...)
		result := v.Expected
		result.EventID, result.Error, result.Test = "", "", false
		var refused *Error
		if errors.As(err, &refused) {
			fmt.Println(refused)
			result.Error = string(refused.Code)
		} else {
			result.EventID, result.Test = event.ID, event.Test
		}
		if result != v.Expected {
			t.Errorf("%s: %+v", v.Name, result)
			wrong++
		}
	}
	fmt.Printf("%d vectors, %d wrong\n", len(vectors.Vectors), wrong)
}
