import { paragraphs } from '../../src/hear/transcript/paragraphs.ts';
import { clock } from '../shared/format.ts';
import { zip } from '../shared/zip.ts';
import type { Transcript } from './transcript.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const contentTypes = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${CONTENT}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${CONTENT}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`;

const packageRelations = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;

const documentRelations = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/styles" Target="styles.xml"/></Relationships>`;

// Sizes are half points, distances twentieths of a point.
const styles = `${XML}<w:styles xmlns:w="${WORD}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/><w:pPr><w:spacing w:after="160" w:line="276" w:lineRule="auto"/></w:pPr><w:rPr><w:sz w:val="22"/><w:szCs w:val="22"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="36"/><w:szCs w:val="36"/></w:rPr></w:style></w:styles>`;

/**
 * The transcript as a Word document: a title, and paragraphs cut at pauses, each with its time.
 * Format: ECMA-376, WordprocessingML in an Open Packaging Conventions archive
 */
export function docx(transcript: Transcript, title: string): Blob {
  const body = paragraphs(transcript.segments).map(({ start, text, speaker }) =>
    paragraph(text, clock(start), speaker),
  );
  const language = transcript.task === 'translate' ? 'en' : transcript.language;
  const core = `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escaped(title)}</dc:title>${language === undefined ? '' : `<dc:language>${escaped(language)}</dc:language>`}</cp:coreProperties>`;
  const document = `${XML}<w:document xmlns:w="${WORD}"><w:body><w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>${run(title)}</w:p>${body.join('')}</w:body></w:document>`;
  const archive = zip([
    { name: '[Content_Types].xml', content: contentTypes },
    { name: '_rels/.rels', content: packageRelations },
    { name: 'docProps/core.xml', content: core },
    { name: 'word/_rels/document.xml.rels', content: documentRelations },
    { name: 'word/document.xml', content: document },
    { name: 'word/styles.xml', content: styles },
  ]);
  return new Blob([archive], { type: `${CONTENT}.document` });
}

function paragraph(text: string, time: string, speaker: string | undefined): string {
  const isRightToLeft = rightToLeft.test(text);
  const direction = isRightToLeft ? '<w:pPr><w:bidi/></w:pPr>' : '';
  return `<w:p>${direction}${run(time, BOLD)}${speaker === undefined ? '' : run(` ${speaker}:`, BOLD)}${run(` ${text}`, isRightToLeft ? '<w:rtl/>' : '')}</w:p>`;
}

const BOLD = '<w:b/><w:bCs/>';

const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;

/** A text whose first letter is written from right to left. */
const rightToLeft = /^\P{L}*[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 allows no others
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string) =>
  text.replace(notXml, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
