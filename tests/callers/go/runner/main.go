// Command runner plays the contract cases and the callers' programme (../../README.md) in Go.
//
//	usage: runner SDK_FOLDER
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"callers/corecall"
)

// shown is status and reply, with a `*` for an error's message.
func shown(reply corecall.Reply, between string) string {
	text := reply.JSON
	if head, rest, found := strings.Cut(text, `,"message":"`); found && reply.Status != 0 {
		if _, tail, found := strings.Cut(rest, `","path":`); found {
			text = head + `,"message":"*","path":` + tail
		}
	}
	return fmt.Sprint(reply.Status) + between + text
}

func show(name string, reply corecall.Reply) { fmt.Println(name+":", shown(reply, " ")) }

// read gives nil where there is no such file.
func read(folder, name string) []byte {
	bytes, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	return bytes
}

func attachments(folder string, step int) (found [][]byte) {
	for {
		name := fmt.Sprintf("%d.attachment-%d", step, len(found))
		bytes := []byte{}
		if floats := read(folder, name+".f32"); floats != nil {
			for _, word := range strings.Fields(string(floats)) {
				number, err := strconv.ParseFloat(word, 32)
				if err != nil {
					log.Fatal(err)
				}
				bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(float32(number)))
			}
		} else if numbers := read(folder, name+".u8"); numbers != nil {
			for _, word := range strings.Fields(string(numbers)) {
				number, err := strconv.ParseUint(word, 10, 8)
				if err != nil {
					log.Fatal(err)
				}
				bytes = append(bytes, byte(number))
			}
		} else {
			return found
		}
		found = append(found, bytes)
	}
}

func open(config string) *corecall.Core {
	core, err := corecall.Open(config)
	if err != nil {
		log.Fatal(err)
	}
	return core
}

func play(folder string) bool {
	config := "{}"
	if bytes := read(folder, "config.json"); bytes != nil {
		config = string(bytes)
	}
	core, good, step := open(config), true, 1
	for ; ; step++ {
		request := read(folder, fmt.Sprint(step, ".request.json"))
		if request == nil {
			break
		}
		got := shown(core.Send(request, 0, attachments(folder, step)...), "\n") + "\n"
		if got != string(read(folder, fmt.Sprint(step, ".expect"))) {
			fmt.Println("FAILED", folder, "step", step, got)
			good = false
		}
	}
	return core.Close() == 0 && good && step > 1
}

func cases(folder string) {
	folders, err := filepath.Glob(filepath.Join(folder, "*", "1.request.json"))
	if err != nil {
		log.Fatal(err)
	}
	passed := 0
	for _, first := range folders {
		if play(filepath.Dir(first)) {
			passed++
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, len(folders)-passed)
}

func threads(core *corecall.Core) {
	payload := `{"model":"test-hash:64","entries":[{"id":"a","content":"two threads at once"}]}`
	alone := core.Call("prepare", payload)
	var same int32
	var workers sync.WaitGroup
	for worker := 0; worker < 2; worker++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for round := 0; round < 100; round++ {
				if reply := core.Call("prepare", payload); reply.Status == 0 && reply.JSON == alone.JSON {
					atomic.AddInt32(&same, 1)
				}
			}
		}()
	}
	workers.Wait()
	fmt.Println("threads:", same, "replies as alone")
}

// list joins what `item` gives for 0 to count-1.
func list(count int, item func(int) string) string {
	items := make([]string, count)
	for at := range items {
		items[at] = item(at)
	}
	return strings.Join(items, ",")
}

func cancel(core *corecall.Core) {
	entries := list(5000, func(n int) string { return fmt.Sprintf(`{"id":"m%d","content":"a long call"}`, n) })
	request := []byte(corecall.Request("prepare", `{"model":"test-hash:256","entries":[`+entries+`]}`))
	returned := make(chan corecall.Reply)
	go func() {
		reply := core.Send(request, 7)
		for round := 1; round < 100 && reply.Status == 0; round++ {
			reply = core.Send(request, 7)
		}
		returned <- reply
	}()
	for {
		select {
		case reply := <-returned:
			show("cancel", reply)
			return
		default:
			core.Cancel(7)
		}
	}
}

func publish(core *corecall.Core, model, vectors string, feature func(int) string, attached ...[]byte) corecall.Reply {
	snapshots := list(64, func(n int) string {
		return fmt.Sprintf(`{"id":"m%d","entry":{"id":"m%d","title":"t%d"}%s}`, n, n, n, feature(n))
	})
	return core.Call("resident_publish", `{"model":"`+model+`","snapshots":[`+snapshots+`]`+vectors+`}`, attached...)
}

func related(core *corecall.Core, model, key string) corecall.Reply {
	return core.Call("related_business", `{"model":"`+model+`","resident_key":"`+key+
		`","query":{"text":"","limit":1},"ids":["m5"],"pairs":[],"related_settings":{"relations":["neighbor"]}}`)
}

func mebibyte(core *corecall.Core) {
	// 64 rows of 4,096 numbers are 1 MiB; each two rows are equal, so m4 is the neighbour of m5.
	rows := make([]byte, 64*4096*4)
	for row := 0; row < 64; row++ {
		binary.LittleEndian.PutUint32(rows[(row*4096+row/2)*4:], math.Float32bits(1))
	}
	ids := list(64, func(n int) string { return fmt.Sprintf(`"m%d"`, n) })
	vectors := `,"vectors":{"ids":[` + ids + `],"data":{"$attachment":0,"dtype":"f32","shape":[64,4096]}}`
	show("1 MiB in", publish(core, "host:caller", vectors, func(int) string { return "" }, rows))
	show("related", related(core, "host:caller", "r1"))

	entries := list(64, func(n int) string { return fmt.Sprintf(`{"id":"m%d","content":"%d"}`, n, 1000+n/2) })
	out := core.Call("prepare", `{"model":"test-hash:4096","entries":[`+entries+`]}`).Attachments
	size, enough := 0, "less than 1 MiB"
	for _, bytes := range out {
		size += len(bytes)
	}
	if size >= 1<<20 {
		enough = "1 MiB or more"
	}
	fmt.Printf("attachments out: %d, %s\n", len(out), enough)
	show("and in again", publish(core, "test-hash:4096", "", func(n int) string {
		return fmt.Sprintf(`,"features":{"artifact":{"$attachment":%d,"dtype":"u8","shape":[%d]}}`, n, len(out[n]))
	}, out...))
	show("related", related(core, "test-hash:4096", "r2"))
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: runner SDK_FOLDER")
	}
	cases(filepath.Join(os.Args[1], "share", "corecall", "contract", "cases"))
	core := open("") // NULL and length 0
	threads(core)
	cancel(core)
	mebibyte(core)
	show("no request", core.Send(nil, 0))
	show("empty attachment", core.Call("capabilities", "{}", nil))
	fmt.Println("close:", core.Close())
	show("call after close", core.Call("capabilities", "{}"))
	fmt.Println("close again:", core.Close())
}
