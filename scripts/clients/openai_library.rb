# Calls both services with the official Ruby library: gem install openai, then
#
#     ruby scripts/clients/openai_library.rb http://localhost:8000 http://localhost:8880 speech.wav

require "openai"

hear_url, say_url, path = ARGV
hear = OpenAI::Client.new(base_url: "#{hear_url}/v1", api_key: "none", max_retries: 0)
say = OpenAI::Client.new(base_url: "#{say_url}/v1", api_key: "none", max_retries: 0)
transcribe = ->(**fields) { hear.audio.transcriptions.create(model: "whisper-1", file: Pathname(path), **fields) }

def assert(holds, *details)
  raise details.inspect unless holds
end

text = transcribe.call.text
assert(!text.empty?)
%i[json text srt vtt verbose_json].each do |format|
  heard = transcribe.call(response_format: format, language: "en", temperature: 0, prompt: "A speech.")
  shown = heard.respond_to?(:text) ? heard.text : heard.read
  assert(!shown.empty?, format, heard)
  puts "#{format}: #{heard.class} #{shown.tr("\n", " ")[0, 60]}"
end
timed = transcribe.call(response_format: :verbose_json, timestamp_granularities: %i[word segment])
# It takes verbose_json for json, with more fields.
assert(timed[:words].length > 2 && timed[:segments].first[:avg_logprob].negative? && timed[:duration].positive?)
sure = transcribe.call(include: [:logprobs], chunking_strategy: :auto)
assert(sure.logprobs.first.logprob <= 0 && sure.usage.type == :duration, sure)

events = hear.audio.transcriptions.create_streaming(model: "whisper-1", file: Pathname(path)).to_a
assert(events.last.type == :"transcript.text.done" && events.last.text == text, events.last)
assert(events[0...-1].map(&:delta).join == text)
puts "#{events.length} events"

assert(hear.models.list.data.length.positive? && hear.models.retrieve("whisper-1").id == "whisper-1")
[{ language: "tlh" }, { response_format: "docx" }].each do |wrong|
  transcribe.call(**wrong)
  assert(false, wrong)
rescue OpenAI::Errors::BadRequestError => error
  puts "#{error.status}: #{error.body.dig(:error, :message)}"
end

speech = { model: "tts-1", voice: :alloy, input: "Hello there." }
%i[mp3 opus aac flac wav pcm].each do |format|
  audio = say.audio.speech.create(**speech, response_format: format, speed: 1.2).read
  assert(audio.bytesize > 1000, format)
  puts "#{format}: #{audio.bytesize} bytes"
end
begin
  say.audio.speech.create(**speech, voice: "nobody")
  assert(false)
rescue OpenAI::Errors::BadRequestError => error
  puts "#{error.status}: #{error.body.dig(:error, :message)}"
end
