<?php

// Calls both services with openai-php/client: composer require openai-php/client guzzlehttp/guzzle, then, with AUTOLOAD
// if vendor/autoload.php is not in the current folder:
//
//     php -d zend.assertions=1 scripts/clients/openai_php.php http://localhost:8000 http://localhost:8880 speech.wav

declare(strict_types=1);

require getenv('AUTOLOAD') ?: 'vendor/autoload.php';

use OpenAI\Exceptions\ErrorException;

[, $hearUrl, $sayUrl, $path] = $argv;
$client = fn (string $url) => OpenAI::factory()->withBaseUri("$url/v1")->withApiKey('none')->make();
$hear = $client($hearUrl);
$say = $client($sayUrl);
$transcribe = fn (array $fields = []) => $hear->audio()->transcribe(['model' => 'whisper-1', 'file' => fopen($path, 'r'), ...$fields]);

$text = $transcribe()->text;
assert($text !== '');
foreach (['json', 'text', 'srt', 'vtt', 'verbose_json'] as $format) {
    $heard = $transcribe(['response_format' => $format, 'language' => 'en', 'temperature' => 0, 'prompt' => 'A speech.']);
    assert($heard->text !== '', $format);
    echo $format, ': ', substr(str_replace("\n", ' ', $heard->text), 0, 60), PHP_EOL;
}
$timed = $transcribe(['response_format' => 'verbose_json', 'timestamp_granularities' => ['word', 'segment']]);
assert(count($timed->words) > 2 && count($timed->segments) > 0 && $timed->duration > 0 && $timed->language === 'en');
assert($timed->words[0]->end > $timed->words[0]->start && $timed->segments[0]->avgLogprob < 0);

$events = iterator_to_array($hear->audio()->transcribeStreamed(['model' => 'whisper-1', 'file' => fopen($path, 'r')]), false);
$last = end($events);
assert($last->event === 'transcript.text.done' && $last->response->text === $text);
assert(implode('', array_map(fn ($event) => $event->response->delta, array_slice($events, 0, -1))) === $text);
echo count($events), ' events', PHP_EOL;

assert(count($hear->models()->list()->data) > 0 && $hear->models()->retrieve('whisper-1')->id === 'whisper-1');
assert($say->models()->retrieve('tts-1')->id === 'tts-1');

foreach ([['language' => 'tlh'], ['response_format' => 'docx']] as $wrong) {
    try {
        $transcribe($wrong);
        assert(false, json_encode($wrong));
    } catch (ErrorException $error) {
        assert($error->getStatusCode() === 400 && $error->getErrorType() === 'invalid_request_error');
        echo $error->getErrorCode(), ': ', $error->getMessage(), PHP_EOL;
    }
}

$speech = ['model' => 'tts-1', 'voice' => 'alloy', 'input' => 'Hello there.'];
$starts = ['mp3' => 'ID3', 'opus' => 'OggS', 'aac' => "\xff", 'flac' => 'fLaC', 'wav' => 'RIFF', 'pcm' => ''];
foreach ($starts as $format => $start) {
    $audio = $say->audio()->speech([...$speech, 'response_format' => $format, 'speed' => 1.2]);
    assert(strlen($audio) > 1000 && ($format === 'mp3' || str_starts_with($audio, $start)), $format);
    echo $format, ': ', strlen($audio), ' bytes', PHP_EOL;
}
$chunks = iterator_to_array($say->audio()->speechStreamed($speech), false);
assert(strlen(implode('', $chunks)) > 1000);
try {
    $say->audio()->speech([...$speech, 'voice' => 'nobody']);
    assert(false);
} catch (ErrorException $error) {
    assert($error->getStatusCode() === 400);
    echo $error->getErrorCode(), ': ', $error->getMessage(), PHP_EOL;
}
