import type { Accent } from '../../phoneme-alphabet.ts';

/** A pronunciation in both accents. */
interface Form {
  us: string;
  gb: string;
}

interface FunctionWord {
  within: Form;
  /** Before a pause. */
  final: Form;
}

// Word, American, British | the forms before a pause if different. `-`: as in American.
const TABLE = `
'em əm -
'n ən -
am æm am | ˈæm ˈam
and ænd and
are ɑɹ ɑː
aren't ˌɑɹnt ˌɑːnt
as æz az
at æt at
be bi biː | bˈi bˈiː
because bəkˈʌz bɪkˈɒz
been bɪn biːn | bˌɪn bˌiːn
but bˌʌt -
by bI - | bˈI -
can kæn kan | kˈæn kˈan
could kʊd - | kˈʊd -
could've kʊdəv - | kˈʊdəv -
couldn't kˌʊdᵊnt - | kˈʊdᵊnt -
down dˌWn -
for fɔɹ fɔː
from fɹʌm fɹɒm
get ɡɛt - | ɡˈɛt -
go ɡˌO ɡˌQ
got ɡɑt ɡɒt | ɡˈɑt ɡˈɒt
had hæd had | hˌæd hˌad
has hæz haz | hˈæz hˈaz
have hæv hav | hˈæv hˈav
he hi hiː
he'd hid hiːd
he'll hil hiːl
he's hiz hiːz
her hɜɹ hɜː | hˌɜɹ hˌɜː
him hˌɪm -
his hɪz - | hˌɪz -
how hˌW -
i'd ˌId -
i'll ˌIl -
i'm ˌIm -
i've ˌIv -
if ɪf -
is ɪz -
it ɪt -
it'd ɪTəd ɪtəd
it's ɪts -
its ɪts -
made mˌAd -
make mˌAk -
me mˌi mˌiː
might mˌIt -
my mI - | mˈI -
not nˌɑt nˌɒt
of ʌv ɒv
on ˌɔn ˌɒn
or ɔɹ ɔː
our ˌWəɹ ˌWə
per pɜɹ pɜː
put pˌʊt -
shall ʃˌæl ʃˌal
she ʃi ʃiː
she'd ʃid ʃiːd
she'll ʃil ʃiːl
she's ʃiz ʃiːz
should ʃˌʊd -
sir sˌɜɹ sˌɜː
so sˌO sˌQ
some sˌʌm -
than ðən -
that'd ðæTəd ðatəd
that'll ðæTᵊl ðatᵊl
that's ðæts ðats
their ðɛɹ ðɛː
them ðˌɛm -
there ðɛɹ ðɛː | ðˈɛɹ ðˈɛː
there's ðɛɹz ðɛːz | ðˈɛɹz ðˈɛːz
these ðiz ðiːz | ðˈiz ðˈiːz
they ðA -
they'd ðAd -
they'll ðAl -
they're ðɛɹ ðɛː
they've ðAv -
this ðɪs - | ðˈɪs -
those ðOz ðQz | ðˈOz ðˈQz
though ðˌO ðˌQ
through θɹu θɹuː | θɹˈu θɹˈuː
up ˌʌp -
us ˌʌs -
was wʌz wɒz
we wi wiː
we'd wid wiːd
we'll wil wiːl
we're wɪɹ wɪə
we've wiv wiːv
were wɜɹ wɜː
weren't wˌɜɹnt wˌɜːnt
what wˌʌt wˌɒt
what's wˌʌts wˌɒts
when wˌɛn -
where wˌɛɹ wˌɛː
which wˌɪʧ -
while wˌIl -
whilst wˌIlst -
who hˌu hˌuː
who'd hˌud hˌuːd
who's hˌuz hˌuːz
whose hˌuz hˌuːz
why wˌI -
will wɪl - | wˈɪl -
with wɪð -
won't wOnt wQnt | wˈOnt wˈQnt
would wʊd - | wˈʊd -
you ju juː
you'd jud juːd
you'll jul juːl
you're jʊɹ jɔː
you've juv juːv
your jʊɹ jɔː
`;

const WORDS = new Map(TABLE.trim().split('\n').map(parseLine));

function parseLine(line: string): [string, FunctionWord] {
  const [word, ...parts] = line.split(' ');
  const [us, gb, , finalUs, finalGb] = parts;
  const form = (first: string, second: string): Form => ({ us: first, gb: second === '-' ? first : second });
  const within = form(us!, gb!);
  return [word!, { within, final: finalUs && finalGb ? form(finalUs, finalGb) : within }];
}

export interface FunctionWordContext {
  /** Whether the next word begins with a vowel; undefined before a pause and at the end. */
  nextVowel: boolean | undefined;
  previous: string | undefined;
  next: string | undefined;
  /** Whether `that` points at something; called for that word only. */
  isPointing: () => boolean;
}

const LETTER_BEFORE =
  /^(?:letter|grade|plan|vitamin|option|section|type|class|team|group|letters|capital|point|hepatitis)$/;

/**
 * The form of a function word in its context, as in Kokoro's training data; undefined for other words.
 * @param word in lower case
 */
export function functionWord(word: string, context: FunctionWordContext, accent: Accent): string | undefined {
  const { nextVowel, previous, next } = context;
  switch (word) {
    case 'a':
      return (next === undefined && nextVowel === undefined) || LETTER_BEFORE.test(previous ?? '') ? 'ˈA' : 'ɐ';
    case 'an':
      return 'ɐn';
    case 'am':
      if (nextVowel !== undefined) return 'ɐm';
      break;
    case 'i':
      return 'ˌI';
    case 'in':
      return nextVowel === undefined ? 'ˈɪn' : 'ɪn';
    case 'the':
      return nextVowel ? 'ði' : 'ðə';
    case 'to':
      if (nextVowel === undefined) return accent === 'us' ? 'tu' : 'tuː';
      return nextVowel ? 'tʊ' : 'tə';
    case 'that': {
      const form = accent === 'us' ? 'ðæt' : 'ðat';
      return nextVowel === undefined || context.isPointing() ? form.replace(/[æa]/, 'ˈ$&') : form;
    }
  }
  const entry = WORDS.get(word);
  return entry && (nextVowel === undefined ? entry.final : entry.within)[accent];
}

const CONSONANT = /[bdfhjklmnpstvwzðŋɡɹTʃʒʤʧθ]/;
/** Vowels that change the word before them; the article's ɐ does not. */
const FULL_VOWEL = /[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ]/;

/** Whether the first sound is a vowel that changes the word before it; undefined if there is no sound. */
export function startsWithVowel(phonemes: string): boolean | undefined {
  const first = [...phonemes].find((character) => FULL_VOWEL.test(character) || CONSONANT.test(character));
  return first === undefined ? undefined : FULL_VOWEL.test(first);
}
