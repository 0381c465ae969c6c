import { characterEntities } from 'character-entities';
import { describe, expect, it } from 'vitest';
import { spokenText } from './english/normalize.ts';
import { entityAt } from './html-entities.ts';

describe('entityAt', () => {
  it.each([
    ['&#8217;', '’'],
    ['&rsquo;', '’'],
    ['&eacute;', 'é'],
    ['&#233;', 'é'],
    ['&#xE9;', 'é'],
    ['&#Xe9;', 'é'],
    ['&#146;', '’'],
    ['&#x97;', '—'],
    ['&#x9F;', 'Ÿ'],
    ['&#128512;', '😀'],
    ['&nbsp;', '\u00A0'],
    ['&hellip;', '…'],
    ['&frac12;', '½'],
    ['&NotEqualTilde;', '≂̸'],
    ['&CounterClockwiseContourIntegral;', '∳'],
    ['&amp;', '&'],
    ['&amp;amp;', '&'],
    ['&amp;lt;', '<'],
    ['&#0;', '\uFFFD'],
    ['&#xD800;', '\uFFFD'],
    ['&#9999999;', '\uFFFD'],
  ])('decodes %s', (written, text) => {
    expect(entityAt(`a${written}b`, 1)).toEqual({ text, end: 1 + written.length });
  });

  it('decodes every name of HTML', () => {
    const names = Object.keys(characterEntities);
    expect(names.length).toBeGreaterThan(2100);
    for (const name of names) expect(entityAt(`&${name};`, 0)?.text).toBe(characterEntities[name]);
  });

  it.each(['&', '&;', '&#;', '&#x;', '&copy', '&copy=1;', '&unknown;', '&constructor;', '&#12345678;', '& amp;'])(
    'takes %s as text',
    (input) => expect(entityAt(input, 0)).toBeUndefined(),
  );
});

describe('a text with character references', () => {
  it.each([
    ['It&#8217;s the caf&eacute;&rsquo;s.', "It's the café's."],
    ['&ldquo;Yes,&rdquo; she said &mdash; twice&hellip;', '“Yes,” she said — twice…'],
    [
      '5&nbsp;&times;&nbsp;3, 20&deg;, &pound;5, &frac12; &euro;2',
      'five times three, twenty degrees, five pounds, one half two euros',
    ],
    ['R&amp;D, AT&amp;T, Tom &amp; Jerry', 'R and D, A T and T, Tom and Jerry'],
    ['1 &lt; 2 &gt; 0', 'one less than two greater than zero'],
    ['Use &lt;b&gt; here', 'Use B here'],
    ['R&D; AT&T; Q&A;', 'R and D; A T and T; Q and A;'],
    ['See example.com/?a=1&copy=2', 'See example dot com slash question mark A equals one and copy equals two'],
    ['One.&#10;&#10;Two.', 'One. Two.'],
  ])('%s', (written, spoken) => {
    expect(spokenText(written)).toBe(spoken);
  });

  it('shows the characters in captions, with normalization or without', () => {
    expect(spokenText('caf&eacute;', { normalize: false })).toBe('café');
  });
});
