import { describe, expect, it } from 'vitest';
import { asHtml, decodeXml } from './markup.ts';

describe('decodeXml', () => {
  it('reads every encoding that XML files have', () => {
    const text = '<?xml version="1.0"?><p>Größe</p>';
    expect(decodeXml(Buffer.from(text))).toBe(text);
    expect(decodeXml(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text);
    expect(decodeXml(Buffer.from(text, 'utf16le'))).toBe(text);
    expect(decodeXml(Buffer.from(text, 'utf16le').swap16())).toBe(text);
    const latin = '<?xml version="1.0" encoding="ISO-8859-1"?><p>Größe</p>';
    expect(decodeXml(Buffer.from(latin, 'latin1'))).toBe(latin);
    const unknown = '<?xml version="1.0" encoding="none"?><p>Größe</p>';
    expect(decodeXml(Buffer.from(unknown))).toBe(unknown);
  });
});

describe('asHtml', () => {
  it.each([
    ['<title/><p class="a/b"/><br/>', '<title></title><p class="a/b"></p><br/>'],
    ['<?xml version="1.0"?>\n<!DOCTYPE html [<!ENTITY a "b">]>\n<p>&a;</p>', '\n<p>&a;</p>'],
    ['<p><![CDATA[a < b & c]]>!</p>', '<p>a &lt; b &amp; c!</p>'],
    ['<style>p{}</style><p style="color: red" id="x">', '<script>p{}</script><p id="x">'],
  ])('writes %s as HTML', (xml, html) => {
    expect(asHtml(xml)).toBe(html);
  });

  it.each(['<![CDATA[', '<style', '<!DOCTYPE [', '<a ', '</', '<a style="', '/>'])('is quick with many %s', (piece) => {
    expect(asHtml(piece.repeat(200_000)).length).toBeLessThan(3_000_000);
  });
});
