"""Runs schemathesis with all of its checks against what a service describes (`pip install schemathesis`):

    SCHEMATHESIS_HOOKS=scripts/clients/schemathesis_hooks.py schemathesis run http://localhost:8880/openapi.json \
        --max-examples 150 --exclude-path-regex 'unload|activate'

Three checks do not fit the services. Only failures due to this are ignored, and the summary counts them.
"""

import re

import jsonschema_rs
import schemathesis

# Whether a file is audio, a text can be spoken and a name is known, and whether one field goes with another, no schema says.
JUDGED = re.compile(
    r"""(?:(?:lines|chapters)\[\d+\]\.|session\.audio\.input\.transcription\.)?
    (?:file|audio_file|model|size|voice|lang_code|language|languages(?:\[\d*\])?|lexicon|input|text|phonemes|cover)""",
    re.VERBOSE,
)
TOGETHER = re.compile(
    "A background job cannot stream|callback_url (?:needs|is not possible)|Connect with a WebSocket"
    "|speakers needs another response_format|There is no speaker model|The text has nothing to speak"
)
TEXTS = {"input", "text", "phonemes"}
NUMBERS = {"speed", "volume_multiplier", "pause_after"}
NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*", re.IGNORECASE)
BOOLEANS = {"true": True, "false": False}
FLAGS = re.compile("stream|return_download_link|normalize|.*_normalization|replace_remaining_symbols")
FLAG_WORDS = {
    **dict.fromkeys(["true", "1", "yes", "on", "y", "enabled"], True),
    **dict.fromkeys(["false", "0", "no", "off", "n", "disabled"], False),
}
FORM_BOOLEANS = {"stream", "speakers"}
DIGITS = {"1": True, "0": False}
FORM_TEXTS = {"model", "prompt"}
FILES = {"file", "audio_file"}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    if failure.code == "ST202":
        return not is_judged(case, response)
    if failure.code == "ST201":
        return not is_read_loosely(case)
    if failure.code == "ST301":
        return not is_kept_job(response)
    return True


def is_judged(case, response):
    """positive_data_acceptance: what fits the description and still cannot be served gets 400."""
    if response.status_code != 400:
        return False
    error = response.json()["error"]
    return bool(JUDGED.fullmatch(error["param"] or "") or TOGETHER.search(error["message"]))


def is_kept_job(response):
    """use_after_free: DELETE cancels a job that has not finished, and its outcome is kept."""
    return response.json().get("object") == "transcription.job"


def is_read_loosely(case):
    """negative_data_rejection: nulls and empty optional fields count as absent; numbers and booleans may be strings, and
    booleans 1 and 0. A request that fits the description when it is read like this has to be accepted."""
    document = case.operation.schema.raw_schema
    operation = document["paths"][case.operation.path][case.method.lower()]
    if "requestBody" not in operation:
        return has_empty_query(case, operation)
    schema = operation["requestBody"]["content"].get(case.media_type, {}).get("schema")
    if schema is None:
        return False
    validator = jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
    body = form(case.body) if case.media_type == "multipart/form-data" else case.body
    return validator.is_valid(loosely(body))


def has_empty_query(case, operation):
    """Whether the query only has empty values where it does not fit."""
    schemas = {each["name"]: each["schema"] for each in operation.get("parameters", []) if each["in"] == "query"}
    given = {name: value for name, value in (case.query or {}).items() if name in schemas}
    empty = [name for name, value in given.items() if value in (None, "")]
    rest = [(schemas[name], scalar(name, value)) for name, value in given.items() if name not in empty]
    return bool(empty) and all(jsonschema_rs.is_valid(schema, value) for schema, value in rest)


def form(fields):
    """A form as it arrives: texts, a list in a field for each item, and a file, without which it is not accepted."""
    read = dict.fromkeys(FILES, "")
    for name, value in fields.items():
        values = [each for each in (value if isinstance(value, list) else [value]) if each not in (None, "")]
        if name.endswith("[]"):
            read[name] = [str(each) for each in values]
        elif name in FORM_BOOLEANS and len(values) == 1:
            read[name] = DIGITS.get(str(values[0]), values[0])
        elif name in FORM_TEXTS:
            read[name] = str(value)
        elif name not in FILES and values:
            read[name] = value
    return read


def loosely(value):
    if isinstance(value, list):
        return [loosely(item) for item in value]
    if not isinstance(value, dict):
        return value
    read = {}
    for name, member in value.items():
        if name in TEXTS | FILES:
            read[name] = member
        elif member is not None and member != "":
            read[name] = loosely(scalar(name, member))
    return read


def scalar(name, value):
    if FLAGS.fullmatch(name) and isinstance(value, (str, int)):
        return FLAG_WORDS.get(str(value).strip().lower(), value)
    if not isinstance(value, str):
        return value
    if name in NUMBERS and NUMBER.fullmatch(value):
        return float(value)
    return BOOLEANS.get(value.strip().lower(), value)
