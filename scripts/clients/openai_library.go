// Calls both services with the official Go library. In a module with it (go mod init x, go get
// github.com/openai/openai-go/v3), $CLIENTS being this folder:
//
//	go run $CLIENTS/openai_library.go http://localhost:8000 http://localhost:8880 speech.wav
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
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
	client := func(url string) openai.Client {
		return openai.NewClient(option.WithBaseURL(url+"/v1/"), option.WithAPIKey("none"), option.WithMaxRetries(0))
	}
	hear(client(hearURL), path)
	say(client(sayURL))
	fmt.Println("openai-go: all calls answered as its types say")
}

func hear(client openai.Client, path string) {
	request := func(format openai.AudioResponseFormat) openai.AudioTranscriptionNewParams {
		file, err := os.Open(path)
		check(err)
		return openai.AudioTranscriptionNewParams{File: file, Model: "gpt-4o-transcribe", ResponseFormat: format}
	}
	transcribe := func(params openai.AudioTranscriptionNewParams) *openai.AudioTranscriptionNewResponseUnion {
		answer, err := client.Audio.Transcriptions.New(ctx, params)
		check(err)
		assert(answer.Text != "", answer.RawJSON())
		return answer
	}
	text := transcribe(request("")).Text
	fmt.Println(text)

	verbose := request("verbose_json")
	verbose.TimestampGranularities = []string{"word", "segment"}
	answer := transcribe(verbose)
	whole := answer.AsTranscriptionVerbose()
	assert(len(whole.Words) > 0 && len(whole.Segments) > 0 && whole.Duration > 0 && whole.Language != "", answer.RawJSON())
	assert(answer.Usage.Type == "duration" && answer.Usage.Seconds > 0, answer.RawJSON())

	all := request("json")
	all.Include = []openai.TranscriptionInclude{"logprobs"}
	all.Languages, all.Keywords = []string{"en", "de"}, []string{"Kennedy", "fellow Americans"}
	all.Language, all.Prompt, all.Temperature = openai.String("en"), openai.String("A speech."), openai.Float(0.2)
	all.ChunkingStrategy.OfAudioTranscriptionNewsChunkingStrategyVadConfig =
		&openai.AudioTranscriptionNewParamsChunkingStrategyVadConfig{Type: "server_vad", Threshold: openai.Float(0.4)}
	answer = transcribe(all)
	assert(len(answer.Logprobs) > 0 && answer.Languages[0].Code == "en", answer.RawJSON())
	auto := request("json")
	auto.ChunkingStrategy.OfAuto = "auto"
	assert(transcribe(auto).Usage.Seconds > 0)

	// Its type of answer is JSON: text and subtitles are read into a string.
	for format, start := range map[openai.AudioResponseFormat]string{"text": text[:5], "srt": "1\n00:00:0", "vtt": "WEBVTT\n"} {
		var body string
		_, err := client.Audio.Transcriptions.New(ctx, request(format), option.WithResponseBodyInto(&body))
		check(err)
		assert(strings.HasPrefix(body, start), format, body)
	}

	_, err := client.Audio.Transcriptions.New(ctx, request("diarized_json"))
	var refused *openai.Error
	if errors.As(err, &refused) { // Without a model that tells speakers apart.
		assert(refused.StatusCode == 400 && refused.Param == "response_format" && refused.Code == "400", refused.RawJSON())
		assert(refused.Message != "" && refused.Type == "invalid_request_error", refused.RawJSON())
	}

	streamed := request("")
	streamed.Include = []openai.TranscriptionInclude{"logprobs"}
	stream := client.Audio.Transcriptions.NewStreaming(ctx, streamed)
	joined, done := "", ""
	for stream.Next() {
		switch event := stream.Current().AsAny().(type) {
		case openai.TranscriptionTextDeltaEvent:
			joined += event.Delta
			assert(len(event.Logprobs) > 0, event.RawJSON())
		case openai.TranscriptionTextDoneEvent:
			done = event.Text
			assert(len(event.Logprobs) > 0 && event.Languages[0].Code == "en", event.RawJSON())
		}
	}
	check(stream.Err())
	assert(joined == done && done == text, joined, done)

	file, err := os.Open(path)
	check(err)
	translation, err := client.Audio.Translations.New(ctx, openai.AudioTranslationNewParams{File: file, Model: "whisper-1"})
	check(err)
	assert(translation.Text != "")
	models, err := client.Models.List(ctx)
	check(err)
	assert(len(models.Data) > 0 && models.Data[0].ID == "asr-1", models.RawJSON())
	_, err = client.Audio.Transcriptions.New(ctx, openai.AudioTranscriptionNewParams{File: strings.NewReader("no audio"), Model: "whisper-1"})
	assert(errors.As(err, &refused) && refused.StatusCode == 400 && refused.Param == "file", err)
}

func say(client openai.Client) {
	request := openai.AudioSpeechNewParams{Model: "tts-1", Input: "Hello there."}
	request.Voice.OfString = openai.String("alloy")
	for format, start := range map[openai.AudioSpeechNewParamsResponseFormat]string{
		"": "", "mp3": "", "wav": "RIFF", "flac": "fLaC", "opus": "OggS", "aac": "\xff", "pcm": "",
	} {
		request.ResponseFormat = format
		response, err := client.Audio.Speech.New(ctx, request)
		check(err)
		audio, err := io.ReadAll(response.Body)
		check(err)
		assert(len(audio) > 1000 && strings.HasPrefix(string(audio), start), format, len(audio))
		fmt.Println(format, response.Header.Get("Content-Type"), len(audio), "bytes")
	}

	request = openai.AudioSpeechNewParams{
		Model: "gpt-4o-mini-tts", Input: "Hello there.", Instructions: openai.String("Slowly"), Speed: openai.Float(1.2),
		ResponseFormat: "pcm", StreamFormat: "sse",
	}
	request.Voice.OfAudioSpeechNewsVoiceID = &openai.AudioSpeechNewParamsVoiceID{ID: "af_heart"}
	response, err := client.Audio.Speech.New(ctx, request)
	check(err)
	size, last := 0, ""
	for decoder := ssestream.NewDecoder(response); decoder.Next(); {
		var event struct{ Type, Audio string }
		check(json.Unmarshal(decoder.Event().Data, &event))
		audio, err := base64.StdEncoding.DecodeString(event.Audio)
		check(err)
		size, last = size+len(audio), event.Type
	}
	assert(size > 20_000 && last == "speech.audio.done", size, last)

	request.Voice.OfAudioSpeechNewsVoiceID.ID = "nobody"
	_, err = client.Audio.Speech.New(ctx, request)
	var refused *openai.Error
	assert(errors.As(err, &refused) && refused.StatusCode == 400 && refused.Param == "voice", err)
}
