package main

import (
	"fmt"
	"log"

	"callers/corecall"
)

func main() {
	library, err := corecall.Open(`{"path":":memory:"}`) // or a file
	if err != nil {
		log.Fatal(err)
	}
	defer library.Close()
	call := func(operation, payload string) {
		reply := library.Call(operation, payload)
		if reply.Status != 0 {
			log.Fatal(reply.JSON)
		}
		fmt.Println(operation+":", reply.JSON)
	}

	// Remember a fact, supersede it, link another to it. A title names its memory.
	call("remember", `{"title":"Deploy day","content":"Deploys run every Friday."}`)
	call("remember", `{"title":"New deploy day","content":"Deploys run on Tuesdays, after the smoke tests.",
		"supersedes":"Deploy day"}`)
	call("remember", `{"title":"Undo","content":"make undo rolls a release back.","see_also":["New deploy day"]}`)

	// The old fact is found by its words, marked as superseded; the new one stands beside it, among `related`.
	call("recall", `{"text":"deploys every Friday","limit":1}`)
	call("relations", `{"id":"New deploy day"}`)
}
