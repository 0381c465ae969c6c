// Calls both services with go-openai. In a module with it (go mod init x, go get github.com/sashabaranov/go-openai),
// $CLIENTS being this folder:
//
//	go run $CLIENTS/go_openai.go http://localhost:8000 http://localhost:8880 speech.wav
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sashabaranov/go-openai"
)

var ctx = context.Background()

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func assert(holds bool, details ...any) {
	if !holds {
		panic(fmt.Sprintln(details...))
	}
}

func main() {
	hearURL, sayURL, path := os.Args[1], os.Args[2], os.Args[3]
	client := func(url string) *openai.Client {
		config := openai.DefaultConfig("none")
		config.BaseURL = url + "/v1"
		return openai.NewClientWithConfig(config)
	}
	hear(client(hearURL), path)
	say(client(sayURL))
	fmt.Println("go-openai: all calls answered as its types say")
}

func hear(client *openai.Client, path string) {
	starts := map[openai.AudioResponseFormat]string{"srt": "1\n00:00:0", "vtt": "WEBVTT\n"}
	for _, format := range []openai.AudioResponseFormat{"", "json", "text", "verbose_json", "srt", "vtt"} {
		request := openai.AudioRequest{
			Model: openai.Whisper1, FilePath: path, Format: format, Prompt: "A speech.", Temperature: 0.2,
			TimestampGranularities: []openai.TranscriptionTimestampGranularity{"word", "segment"},
		}
		for _, call := range []func(context.Context, openai.AudioRequest) (openai.AudioResponse, error){
			client.CreateTranscription, client.CreateTranslation,
		} {
			answer, err := call(ctx, request)
			check(err)
			assert(answer.Text != "" && strings.HasPrefix(answer.Text, starts[format]), format, answer)
			if format == "verbose_json" {
				assert(len(answer.Segments) > 0 && answer.Duration > 0 && answer.Language == "en", answer)
				assert((len(answer.Words) > 0) == (answer.Task == "transcribe"), answer)
			}
		}
	}

	// A reader whose name has no extension, and both forms of chunking_strategy.
	audio, err := os.ReadFile(path)
	check(err)
	for _, strategy := range []any{"auto", openai.TranscriptionChunkingStrategy{Type: "server_vad", Threshold: 0.4}} {
		answer, err := client.CreateTranscription(ctx, openai.AudioRequest{
			Model: openai.GPT4oTranscribe, FilePath: "recording", Reader: bytes.NewReader(audio), Language: "en",
			ChunkingStrategy: strategy,
		})
		check(err)
		assert(answer.Text != "")
	}

	models, err := client.ListModels(ctx)
	check(err)
	assert(models.Models[0].ID == "asr-1", models)
	_, err = client.CreateTranscription(ctx, openai.AudioRequest{
		Model: openai.Whisper1, FilePath: "a.mp3", Reader: strings.NewReader("no audio"),
	})
	var refused *openai.APIError
	assert(errors.As(err, &refused) && refused.HTTPStatusCode == 400 && refused.Code == 400 && *refused.Param == "file", err)
}

func say(client *openai.Client) {
	for _, format := range []openai.SpeechResponseFormat{"", "mp3", "opus", "aac", "flac", "wav", "pcm"} {
		answer, err := client.CreateSpeech(ctx, openai.CreateSpeechRequest{
			Model: openai.TTSModelGPT4oMini, Input: "Hello there.", Voice: openai.VoiceNova, ResponseFormat: format,
			Instructions: "Slowly", Speed: 1.2,
		})
		check(err)
		audio, err := io.ReadAll(answer)
		check(err)
		assert(len(audio) > 1000, format, len(audio))
		fmt.Println(format, answer.Header().Get("Content-Type"), len(audio), "bytes")
	}
	_, err := client.CreateSpeech(ctx, openai.CreateSpeechRequest{Model: openai.TTSModelCanary, Input: "Hello.", Voice: "alloy"})
	var refused *openai.APIError
	assert(errors.As(err, &refused) && refused.HTTPStatusCode == 400 && *refused.Param == "model", err)
}
