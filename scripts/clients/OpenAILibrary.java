// Calls both services with the official Java library, com.openai:openai-java. $CP is its class path, such as that of
// mvn dependency:build-classpath:
//
//     java -cp $CP scripts/clients/OpenAILibrary.java http://localhost:8000 http://localhost:8880 speech.wav

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.MultipartField;
import com.openai.errors.BadRequestException;
import com.openai.errors.OpenAIInvalidDataException;
import com.openai.models.audio.AudioModel;
import com.openai.models.audio.AudioResponseFormat;
import com.openai.models.audio.speech.SpeechCreateParams;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams;
import com.openai.models.audio.transcriptions.TranscriptionCreateParams.TimestampGranularity;
import com.openai.models.audio.transcriptions.TranscriptionInclude;
import com.openai.models.audio.translations.TranslationCreateParams;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

class OpenAILibrary {
  public static void main(String[] args) throws Exception {
    hear(client(args[0]), Path.of(args[2]));
    say(client(args[1]));
    System.out.println("openai-java: all calls answered as its types say");
  }

  static OpenAIClient client(String url) {
    return OpenAIOkHttpClient.builder().baseUrl(url + "/v1").apiKey("none").maxRetries(0).build();
  }

  static void hear(OpenAIClient client, Path path) {
    var transcriptions = client.audio().transcriptions();
    var plain = transcriptions.create(request(path).build());
    System.out.println(plain);
    check(plain.isTranscription() && !plain.asTranscription().text().isEmpty());
    var text = plain.asTranscription().text();

    var all = transcriptions.create(request(path).addInclude(TranscriptionInclude.LOGPROBS).languages(List.of("en", "de"))
        .addKeyword("Kennedy").language("en").prompt("A speech.").temperature(0.2).chunkingStrategyAuto().build());
    check(!all.asTranscription().logprobs().get().isEmpty());
    check(all.asTranscription().languages().get().get(0).code().equals("en"));
    check(all.asTranscription().usage().get().asDuration().seconds() > 0);

    var verbose = transcriptions.create(request(path).responseFormat(AudioResponseFormat.VERBOSE_JSON)
        .timestampGranularities(List.of(TimestampGranularity.WORD, TimestampGranularity.SEGMENT)).build());
    check(verbose.isVerbose() && verbose.asVerbose().duration() > 0 && verbose.asVerbose().language().equals("en"));
    check(!verbose.asVerbose().words().get().isEmpty() && !verbose.asVerbose().segments().get().isEmpty());
    verbose.validate();

    for (var format : List.of(AudioResponseFormat.TEXT, AudioResponseFormat.SRT, AudioResponseFormat.VTT)) {
      var body = transcriptions.create(request(path).responseFormat(format).build()).asTranscription().text();
      System.out.println(format + ": " + body.replace("\n", "|"));
      check(body.contains(text.substring(0, 6)));
    }

    var joined = new StringBuilder();
    var done = new StringBuilder();
    try (var stream = transcriptions.createStreaming(request(path).addInclude(TranscriptionInclude.LOGPROBS).build())) {
      stream.stream().forEach(event -> {
        if (event.isTranscriptTextDelta()) joined.append(event.asTranscriptTextDelta().delta());
        else done.append(event.asTranscriptTextDone().text());
      });
    }
    check(joined.toString().equals(text) && done.toString().equals(text));

    var translation = client.audio().translations()
        .create(TranslationCreateParams.builder().file(path).model(AudioModel.WHISPER_1).build());
    check(!translation.asTranslation().text().isEmpty());
    check(client.models().list().data().get(0).id().equals("asr-1"));

    var noAudio = MultipartField.<InputStream>builder().value(new ByteArrayInputStream("no audio".getBytes()))
        .filename("a.mp3").contentType("audio/mpeg").build();
    try {
      transcriptions.create(TranscriptionCreateParams.builder().file(noAudio).model("whisper-1").build());
      check(false);
    } catch (BadRequestException error) {
      System.out.println(error.getMessage());
      check(error.statusCode() == 400 && error.param().get().equals("file"));
      try {
        System.out.println("code: " + error.code());
      } catch (OpenAIInvalidDataException invalid) {
        System.out.println("code: " + invalid.getMessage());
      }
    }
  }

  static TranscriptionCreateParams.Builder request(Path path) {
    return TranscriptionCreateParams.builder().file(path).model("gpt-4o-transcribe");
  }

  static void say(OpenAIClient client) throws Exception {
    for (var format : List.of("mp3", "opus", "aac", "flac", "wav", "pcm")) {
      var params = SpeechCreateParams.builder().model("gpt-4o-mini-tts").input("Hello there.").voice("marin")
          .instructions("Slowly").speed(1.2).responseFormat(SpeechCreateParams.ResponseFormat.of(format)).build();
      try (var response = client.audio().speech().create(params)) {
        var audio = response.body().readAllBytes();
        check(audio.length > 1000);
        System.out.println(format + " " + response.headers().values("Content-Type") + " " + audio.length + " bytes");
      }
    }
  }

  static void check(boolean holds) {
    if (!holds) throw new AssertionError();
  }
}
