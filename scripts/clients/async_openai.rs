// Calls both services with async-openai. In a new package: cargo add async-openai --no-default-features -F audio,
// cargo add tokio -F rt,macros, cargo add futures, this file as src/main.rs, then
//
//     cargo run -- http://localhost:8000 http://localhost:8880 speech.wav

use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::audio::*;
use async_openai::Client;
use futures::StreamExt;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

fn client(url: &str) -> Client<OpenAIConfig> {
    let config = OpenAIConfig::new()
        .with_api_base(format!("{url}/v1"))
        .with_api_key("none");
    Client::with_config(config)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result {
    let args: Vec<String> = std::env::args().collect();
    hear(&client(&args[1]), &args[3]).await?;
    say(&client(&args[2])).await?;
    println!("async-openai: all calls answered, and what its types do not read is known");
    Ok(())
}

async fn hear(client: &Client<OpenAIConfig>, path: &str) -> Result {
    let audio = client.audio();
    let transcription = audio.transcription();
    let request = || {
        let mut args = CreateTranscriptionRequestArgs::default();
        args.file(path).model("gpt-4o-transcribe");
        args
    };

    // Its type requires usage, which json only has with one of the newer fields.
    let plain = transcription.create(request().build()?).await;
    assert!(unread(plain).contains("\"text\":"));
    let auto = TranscriptionChunkingStrategy::Auto;
    let json = transcription.create(request().chunking_strategy(auto).build()?).await?;
    assert!(!json.text.is_empty() && matches!(json.usage, TranscriptionUsage::Duration(_)));
    let vad = VadConfig {
        threshold: Some(0.4),
        ..Default::default()
    };
    let all = request()
        .chunking_strategy(TranscriptionChunkingStrategy::ServerVad(vad))
        .include([TranscriptionInclude::Logprobs])
        .languages(["en".to_string(), "de".to_string()])
        .keywords(["Kennedy".to_string()])
        .language("en")
        .prompt("A speech.")
        .temperature(0.2)
        .build()?;
    let answer = transcription.create(all).await?;
    assert!(!answer.logprobs.unwrap().is_empty() && answer.languages.unwrap()[0].code == "en");

    let verbose = request()
        .response_format(AudioResponseFormat::VerboseJson)
        .timestamp_granularities([TimestampGranularity::Word, TimestampGranularity::Segment])
        .build()?;
    let answer = transcription.create_verbose_json(verbose).await?;
    assert!(answer.duration > 0.0 && answer.usage.seconds > 0.0 && answer.language == "en");
    assert!(!answer.words.unwrap().is_empty() && !answer.segments.unwrap().is_empty());

    for (format, start) in [
        (AudioResponseFormat::Text, &json.text[..5]),
        (AudioResponseFormat::Srt, "1\n00:00:0"),
        (AudioResponseFormat::Vtt, "WEBVTT\n"),
    ] {
        let body = transcription
            .create_raw(request().response_format(format).build()?)
            .await?;
        assert!(body.starts_with(start.as_bytes()), "{format:?}: {body:?}");
    }

    let mut stream = transcription.create_stream(request().build()?).await?;
    let (mut joined, mut done) = (String::new(), String::new());
    while let Some(event) = stream.next().await {
        match event {
            Ok(CreateTranscriptionResponseStreamEvent::TranscriptTextDelta(event)) => joined += &event.delta,
            Ok(CreateTranscriptionResponseStreamEvent::TranscriptTextDone(event)) => {
                assert!(event.usage.input_tokens > 500 && event.usage.output_tokens > 10);
                done = event.text;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(joined == json.text && done == joined, "{joined} {done}");

    let translation = CreateTranslationRequestArgs::default()
        .file(path)
        .model("whisper-1")
        .build()?;
    #[allow(deprecated)]
    let answer = audio.translation().create(translation).await?;
    assert!(!answer.text.is_empty());

    let refused = request().language("tlh").build()?;
    // Its type requires a string as the code.
    assert!(unread(transcription.create(refused).await).contains("Unsupported language: tlh"));
    Ok(())
}

/// The body of an answer that it cannot read.
fn unread<T: std::fmt::Debug>(answer: std::result::Result<T, OpenAIError>) -> String {
    match answer {
        Err(OpenAIError::JSONDeserialize(_, body)) => body,
        other => panic!("{other:?}"),
    }
}

async fn say(client: &Client<OpenAIConfig>) -> Result {
    let audio = client.audio();
    let speech = audio.speech();
    for format in [
        SpeechResponseFormat::Mp3,
        SpeechResponseFormat::Opus,
        SpeechResponseFormat::Aac,
        SpeechResponseFormat::Flac,
        SpeechResponseFormat::Pcm,
        SpeechResponseFormat::Wav,
    ] {
        let request = CreateSpeechRequestArgs::default()
            .input("Hello there.")
            .voice(Voice::Marin)
            .model(SpeechModel::Other("gpt-4o-mini-tts-2025-12-15".into()))
            .instructions("Slowly")
            .speed(1.2)
            .response_format(format)
            .build()?;
        let bytes = speech.create(request).await?.bytes;
        assert!(bytes.len() > 1000, "{format:?}");
        println!("{format:?}: {} bytes", bytes.len());
    }

    let request = CreateSpeechRequestArgs::default()
        .input("Hello there.")
        .voice(Voice::Custom(CustomVoiceRef { id: "af_heart".into() }))
        .model(SpeechModel::Other("gpt-4o-mini-tts".into()))
        .response_format(SpeechResponseFormat::Pcm)
        .build()?;
    let mut stream = speech.create_stream(request).await?;
    let (mut pieces, mut frames) = (0, 0);
    while let Some(event) = stream.next().await {
        match event? {
            CreateSpeechResponseStreamEvent::SpeechAudioDelta(_) => pieces += 1,
            CreateSpeechResponseStreamEvent::SpeechAudioDone(event) => frames = event.usage.output_tokens,
        }
    }
    assert!(pieces > 0 && frames > 0);
    Ok(())
}
