// SPDX-License-Identifier: BSD-3-Clause

// A peer whose stack is pion/sctp, what WebRTC in Go uses: one path, SCTP port 5000, here in UDP (RFC 6951) instead of in
// DTLS. Both sides call, as in WebRTC: pion drops an INIT that lists address types. What it does is job.h's, on one stream,
// and where it sends the other side ends the association: its SHUTDOWN acknowledges any TSN.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"

	"github.com/pion/logging"
	"github.com/pion/sctp"
)

const (
	udpPort  = 9899
	sctpPort = 5000
	maxBytes = 1 << 20
)

type job struct {
	local, peer    string
	messages, size int
}

func fail(format string, words ...interface{}) {
	fmt.Fprintf(os.Stderr, "interop-pion: "+format+"\n", words...)
	os.Exit(1)
}

func require(err error, what string) {
	if err != nil {
		fail("%s: %v", what, err)
	}
}

// As in job.c: eight bytes of message `number`.
func wordOf(number, index uint32) uint64 {
	x := (uint64(number)<<32 | uint64(index)) + 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func (j *job) message(number int) []byte {
	out := make([]byte, 0, j.size+8)
	for i := 0; len(out) < j.size; i++ {
		out = binary.LittleEndian.AppendUint64(out, wordOf(uint32(number), uint32(i)))
	}
	if shorter := number % 7; j.size > shorter {
		return out[:j.size-shorter]
	}
	return out[:1]
}

func (j *job) confirmation() []byte {
	total := 0
	for i := 0; i < j.messages; i++ {
		total += len(j.message(i))
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(total))
}

// What pion takes for a connection: the packets to and from whoever wrote last, as NATs want it.
type packets struct {
	*net.UDPConn
	lock sync.Mutex
	peer *net.UDPAddr
	kept []byte // the packet that has come already
}

func listen(address string) *packets {
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(address), Port: udpPort})
	require(err, "cannot bind "+address)
	return &packets{UDPConn: socket}
}

func (p *packets) Read(out []byte) (int, error) {
	if len(p.kept) > 0 {
		n := copy(out, p.kept)
		p.kept = nil
		return n, nil
	}
	n, from, err := p.ReadFromUDP(out)
	if err == nil {
		p.lock.Lock()
		p.peer = from
		p.lock.Unlock()
	}
	return n, err
}

func (p *packets) Write(packet []byte) (int, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.WriteToUDP(packet, p.peer)
}

func config(connection net.Conn) sctp.Config {
	return sctp.Config{NetConn: connection, MaxReceiveBufferSize: maxBytes, LoggerFactory: logging.NewDefaultLoggerFactory()}
}

func waitForEnd(stream *sctp.Stream) {
	if n, err := stream.Read(make([]byte, maxBytes)); err == nil {
		fail("%d bytes behind the last message", n)
	} else if errors.Is(err, sctp.ErrChunk) {
		fail("%v", err)
	}
}

func (j *job) send() {
	connection := listen(j.local)
	connection.peer = &net.UDPAddr{IP: net.ParseIP(j.peer), Port: udpPort}
	association, err := sctp.Client(config(connection))
	require(err, "cannot connect")
	stream, err := association.OpenStream(0, sctp.PayloadTypeWebRTCBinary)
	require(err, "cannot open a stream")
	for i := 0; i < j.messages; i++ {
		_, err = stream.WriteSCTP(j.message(i), sctp.PayloadTypeWebRTCBinary)
		require(err, "cannot send")
	}
	got := make([]byte, maxBytes)
	n, err := stream.Read(got)
	require(err, "cannot receive")
	if !bytes.Equal(got[:n], j.confirmation()) {
		fail("the peer confirms %x instead of %x", got[:n], j.confirmation())
	}
	waitForEnd(stream)
	fmt.Println("{}")
}

func (j *job) receive() {
	connection := listen(j.local)
	fmt.Println("listening")
	first := make([]byte, maxBytes)
	n, err := connection.Read(first)
	require(err, "cannot receive")
	connection.kept = first[:n]
	association, err := sctp.Client(config(connection))
	require(err, "cannot connect")
	stream, err := association.AcceptStream()
	require(err, "no stream")
	got, total := make([]byte, maxBytes), 0
	for i := 0; i < j.messages; i++ {
		n, err = stream.Read(got)
		require(err, "the peer ended")
		if !bytes.Equal(got[:n], j.message(i)) {
			fail("message %d: %d bytes, altered or not this one", i, n)
		}
		total += n
	}
	_, err = stream.WriteSCTP(j.confirmation(), sctp.PayloadTypeWebRTCBinary)
	require(err, "cannot confirm")
	waitForEnd(stream)
	fmt.Printf("{\"bytes\": %d}\n", total)
}

func main() {
	var j job
	options := flag.NewFlagSet("interop-pion send|receive", flag.ExitOnError)
	local := options.String("local", "", "own addresses; the first is used")
	peer := options.String("peer", "", "the other's, likewise")
	port := options.Int("port", sctpPort, "of SCTP; pion knows no other")
	options.IntVar(&j.messages, "messages", 1000, "how many")
	options.IntVar(&j.size, "size", 1400, "of the longest, in bytes")
	_ = options.Bool("receiver-ends", true, "always so")
	if len(os.Args) < 2 {
		options.Usage()
		os.Exit(2)
	}
	_ = options.Parse(os.Args[2:])
	j.local, j.peer = strings.Split(*local, ",")[0], strings.Split(*peer, ",")[0]
	if *port != sctpPort {
		fail("--port: pion knows %d alone", sctpPort)
	}
	switch os.Args[1] {
	case "send":
		j.send()
	case "receive":
		j.receive()
	default:
		options.Usage()
		os.Exit(2)
	}
}
