/** The 44-byte header of a WAV file of 16-bit mono samples. @param sampleRate in Hz */
export function wavHeader(samples: number, sampleRate: number): ArrayBuffer {
  const header = new DataView(new ArrayBuffer(44));
  const text = (at: number, name: string) => {
    for (const [index, letter] of [...name].entries()) header.setUint8(at + index, letter.charCodeAt(0));
  };
  text(0, 'RIFF');
  header.setUint32(4, 36 + 2 * samples, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, 2 * sampleRate, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  text(36, 'data');
  header.setUint32(40, 2 * samples, true);
  return header.buffer;
}
