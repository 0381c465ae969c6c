"""Writes results of the reference tokenizer for 1,000 lines in 20 scripts and for random tokens.

    pip install openai-whisper tiktoken
    python scripts/whisper-goldens/tokenizer.py test/fixtures/whisper/tokenizer.json
    npx biome format --write test/fixtures/whisper/tokenizer.json

The lines are made from the sentences below: shuffled words, joined by all kinds of whitespace, with numbers, punctuation,
symbols and words of other scripts. For each line and vocabulary the golden has the first eight hexadecimal digits of the
SHA-256 of its token ids, and of its words (split at whitespace, split at characters).
"""

import hashlib
import json
import random
import sys

from whisper.tokenizer import get_tokenizer

SENTENCES = {
    "latin": "The quick brown fox didn't jump; it's we'll see, I'd say they've gone and you're late, I'm sure he'd "
    "naïve façade Übermäßig señor Łódź İstanbul Tiếng Việt rất khó",
    "cyrillic": "Съешь же ещё этих мягких французских булок, да выпей чаю. Ґанок їжак є щось",
    "greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία· ταχίστη αλώπηξ βαφής ψημένη γη",
    "arabic": "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت، يحظى الضجيع بها؟ پنجره گل چای ژاله",
    "hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא חברה. שָׁלוֹם עוֹלָם",
    "devanagari": "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश करने वाले विष्णु। क्या हाल है",
    "bengali": "আমার সোনার বাংলা, আমি তোমায় ভালোবাসি। চিরদিন তোমার আকাশ",
    "gurmukhi": "ਪੰਜਾਬੀ ਭਾਸ਼ਾ ਬਹੁਤ ਮਿੱਠੀ ਹੈ ਅਤੇ ਗੁਰਮੁਖੀ ਲਿਪੀ ਵਿੱਚ ਲਿਖੀ ਜਾਂਦੀ ਹੈ।",
    "gujarati": "ગુજરાતી ભાષા ભારત દેશના ગુજરાત રાજ્યની ભાષા છે અને તે સુંદર છે.",
    "tamil": "யாமறிந்த மொழிகளிலே தமிழ்மொழி போல் இனிதாவது எங்கும் காணோம்",
    "telugu": "దేశ భాషలందు తెలుగు లెస్స అని శ్రీకృష్ణదేవరాయలు అన్నారు.",
    "kannada": "ಕನ್ನಡ ಭಾಷೆಯು ಕರ್ನಾಟಕ ರಾಜ್ಯದ ಅಧಿಕೃತ ಭಾಷೆ ಆಗಿದೆ ಎಂದು ಹೇಳಿದರು.",
    "malayalam": "മലയാളം കേരളത്തിലെ ഔദ്യോഗിക ഭാഷയാണ് എന്നു പറയുന്നു.",
    "thai": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน จงฝ่าฟันพัฒนาวิชาการ",
    "myanmar": "သီဟိုဠ်မှ ဉာဏ်ကြီးရှင်သည် အာယုဝဍ္ဎနဆေးညွှန်းစာကို ဇလွန်ဈေးဘေး",
    "georgian": "საქართველო არის ლამაზი ქვეყანა და თბილისი მისი დედაქალაქია.",
    "armenian": "Բել դղյակի ձախ ժամն օֆ ազգությանը ցպահանջ չճշտած վնաս էր եւ փառք։",
    "ethiopic": "ሰማይ አይታረስ ንጉሥ አይከሰስ። ብላ ካለኝ እንደአባቴ በቆመጠኝ።",
    "hangul": "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. 다람쥐 헌 쳇바퀴에 타고파",
    "han": "視野無限廣，窗外有藍天。 いろはにほへと ちりぬるを 我能吞下玻璃而不伤身体 カタカナ「引用」『二重』 𠀀𠮷野家",
}
SYMBOLS = "♪ ♪♪ ♩♫ -- --- << >>> (( )) [ ] { } ' \" “quoted” ‘single’ … – — ! ?! ... ， 。 、 · ™ © € £ ½ ² 😀 👩‍👩‍👧‍👦 🇫🇷 é ﬁ \u200b \u200d \ufeff \u0301".split(" ")
NUMBERS = ["7", "42", "1999", "3.14", "10,000", "٣٤٥", "१२३", "①②", "Ⅳ", "½", "0x1F", "50%", "2nd", "'s", "'ll"]
WHITESPACE = [" "] * 30 + ["  ", "   ", "\n", "\t", "\r\n", "\n\n ", "\u00a0", "\u3000", "\u2009", "\u0085", "", "'", "-"]
SPECIAL = ["<|endoftext|>", "<|en|>", "<|0.00|>", "<|startoftranscript|>", "<|", "|>"]


def make_lines(seed=20, per_script=50):
    generator = random.Random(seed)
    everything = [word for sentence in SENTENCES.values() for word in sentence.split()]
    lines = []
    for sentence in SENTENCES.values():
        words = sentence.split()
        lines.append(sentence)
        while len(lines) % per_script:
            line = generator.choice(["", "", " ", "  "])
            for _ in range(generator.randint(2, 7)):
                source = generator.choices([words, SYMBOLS, NUMBERS, everything, SPECIAL], [70, 10, 10, 8, 2])[0]
                word = generator.choice(source)
                if generator.random() < 0.1:
                    word = word[: generator.randint(1, len(word))]
                if generator.random() < 0.05:
                    word = word.upper()
                line += word + generator.choice(WHITESPACE)
            lines.append(line)
    return lines


def digest(value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def split(tokenizer, tokens):
    """Both splits, each as pairs of text and tokens."""
    return [
        [list(pair) for pair in zip(*tokenizer.split_tokens_on_spaces(tokens))],
        [list(pair) for pair in zip(*tokenizer.split_tokens_on_unicode(tokens))],
    ]


def main(path):
    tokenizers = {
        "multilingual": get_tokenizer(True, num_languages=99),
        "gpt2": get_tokenizer(False, num_languages=99),
    }
    lines = make_lines()
    assert len(lines) == 1000
    golden = {"lines": lines, "vocabularies": {}, "random": []}
    for name, tokenizer in tokenizers.items():
        encoded = [tokenizer.encode(line, disallowed_special=()) for line in lines]
        for line, tokens in zip(lines, encoded):
            assert tokenizer.encoding.decode(tokens) == line
        golden["vocabularies"][name] = {
            "special": {key: tokenizer.special_tokens[f"<|{key}|>"] for key in ["endoftext", "startoftranscript", "en", "su", "translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps", "0.00", "30.00"]},
            "nonSpeech": list(tokenizer.non_speech_tokens),
            "ids": "".join(digest(tokens) for tokens in encoded),
            "words": "".join(digest(split(tokenizer, tokens)) for tokens in encoded),
        }

    # Random tokens are rarely whole characters: test broken ones.
    tokenizer = tokenizers["multilingual"]
    broken = [token for token in range(50257) if "\ufffd" in tokenizer.encoding.decode([token])]
    generator = random.Random(7)
    while len(golden["random"]) < 300:
        tokens = [
            generator.choice([generator.choice(broken), generator.choice(broken), generator.randrange(50257), tokenizer.eot])
            for _ in range(generator.randint(1, 10))
        ]
        try:
            words = split(tokenizer, tokens)
        except IndexError:
            continue  # The reference fails if a broken character ends the text.
        if sum(len(part) for _, part in words[1]) != len(tokens):
            continue  # Or it loses the last tokens.
        golden["random"].append([tokens, digest([tokenizer.encoding.decode(tokens), *words])])

    with open(path, "w", encoding="utf-8") as file:
        json.dump(golden, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
