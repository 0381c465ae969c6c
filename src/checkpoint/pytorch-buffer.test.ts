import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CheckpointError } from './checkpoint-error.ts';
import { unpickle } from './pickle.ts';
import { readStateDictionary, readTensor } from './pytorch-buffer.ts';
import { writeTensor } from './pytorch-writer.ts';
import { readZip } from './zip.ts';

/** Files written by torch.save of PyTorch 2.15, from `x = torch.arange(24.).reshape(2, 3, 4)`. */
const saved = {
  /** x */
  float32:
    'eNqlVD1v01AUfY5TOxiUtiyllShILEGC1M6HE4MgjYW8eCAtAlUsjmubYOHGefZLEEwRCBU2xICYqrIhJjYY+QeIirEDEhMM8Be4jqlru00q4ConT7bfuffc53PdUuksQrkcOhAz6CTSPeOuPbCWTJ3oxd49R5Hz6HYihhmDuLCrqPWJ7fic5lnrfdsxNWJ1fdfTBiUOo0JhjYWMPuzUOxamQgqnOK5OboQ3OZxZo2APj+k1Glaj18dZ9RTBUysqUjMqrWY3MaOeULMqtYnZZ4bhOo5lENvt+tx1z7Q8y7xmG4TDufOr+BjB3Co+XmypbM5+/fbLFmQM0Brb7Rw6HXVbvON6GzrRBpbnQ35Fnk81HQshKPH+1+7jQDw1scQCqu2X+HMWmu7Yne6G1SWKXB5fZXyIlUBA4z7+noESmYkCZlEjErD+gFhucGyKfPlf6u6FYxPiWIGGJ1e+zTNQhZmoIY+uJly1xCvypf8QEGYdNuBvGX6AIWAb8BHwFYCa4GXAWQAPWAa0AG1ADzAEPAU8B7wCbAPeAN4BPjSDzh41d7ttSNSe2Nk0Ohd1FjnnzFGtlbmgwuetzs2j398iKu0baHR4vuXZ4KCHejAHmm0qcvEvz1Ko1kp1QZKqglCvVsRKmS+JfI3nJakiSpIg1kWxWqvwtUDlS/PHTgF0FEYqqUBspDM+ZTMHlKe/I2l2fIDmEsyfMXZqLtNJ4kOwkEiyQqEJk5fOEzfybCLPTixPNEBpetwt+QT9VgalvJ/mxn0wneDyNEq7K02Ov57FBPlFjHy4cVoqw1zYsxl9MWKyqfUTFa71bLgCb/SIZcLr8As4xYQcdrQ/3PsbRDlgWQ==',
  /** (x / 8).half().transpose(0, 2) */
  transposed:
    'eNqlVD1v01AUvY7zhUFJC0MhQ+YgQep8J22TOBGykDyQBoEiFst1XoOFG/fZL0EwWUKo8COAkZ/A2o2NCmY2JiQQE4gNnm3q2g4NAq5kP3/cc+551+d6ILFxgHQaFmIFzoNiqne1OVofK0Qp7t/TxX4G7oTCjqnEoFlFeUY03eJkE+3MNH0sEzS1DFOelzkMhcIoRRktmqlMEGY8CHdd0Xdves84HBsxNIXH7Iilq7o/w3HpIsGJbQmkuMRKsQOclBh6ee4Ap56qqqHrSCWaMbW4G+YYmWh8TVMJh9OXh/gMwdwQny0OpFT61Y9vX59RRucYnLrZNcj7my3uGuaeQuQ5Mi3KL/ZzkT0Ho+TW+PL+kaOeWVojB42TGr96ISu6NpnuoSkR+5UlZU6NetUR0L2PP8ZoidhSAavQ9QXsPCDIcPom9jf/pe5x6BohOnI0PG5/uJSkVZJLNWSgE3LVOi/2N/5DgOMZqEIdmtCCDdiELXsL2nYbOnYHunYXBEGwhUMBekLP7h32HKUvhCc67wKXKc3CBV+pb4VsVGqFcxjfPp/c+nP/81A+MYC7eQuZGnXAQ8UxsqyNxX7xL3tRqjXKzVKrVSuVmrVqvVrhy3W+UWmV+Ro915p8md5VGryj8tPLozcFqqPgqmQcsb7O4JisLCiP/gcW0IEBWAshPwfQkcGKkgRNnAuRbDOwZHKiPEEjroZ43gV4/AGIwoPuyITgt2MQ8W4UG/RBNtxCFqJuioKDnycfwg4D4N8bZyAlk1eObcZe9ZGpyHrEeOt31lspzn31OuHde3+wRNLDpNx8L/cn9kNYng==',
  /** x.bfloat16()[:, 1:, ::2] */
  slice:
    'eNqlVD2M0zAYdf9LQG0PBAcdToxFgl7Tn7QBQeMIZclArwhUYAi5NJSIXFOnbhFMlRA62BgYGBA6BiRGNpgQE4wIJoYOSExMiI0Ru6G5xMcVAV8UWXa+9/z85X1uqbE4AOk02BE5sB/ornHdGpurXR3rxcENW5Ez4HIoJlEDOySrqI2wZQ85zTXXR5bd1bDZHzquNi5zCBQKnRRhHJJMvWeiiAfhZMV2dMwL5711DkU7EZJWQrFOjIzGYITi6mGMEmtqXI3SZxMl1X10solS9w3DsW3TwJbTH3Ln3K7pmt2zloE5lD7WRnsw4tpob7GlptKPPx2sPyWM9G3teuBlkPcPXLzmuBs61samOyT8inyIOfc8eMr/8tv0DlUeWcifB/Vt/l+10HTb6vU3zD5W5MouWywMoUoFNG+ir1GyRXShgCXQ9AWs38KmQ2umyKf+Zd952BbGtkk13D395UiS7JJcqCEDzoRctVpS5JP/IQCASRNIkjSRtqQ30mcJwBw8CktQgi14FQ7gBN6DD+AjuAWfwxfwFaRKX0/fPitRoy1UmgUHfKW+DbKs1ApHGT886V34c/1XQHnbALPDD03XIg64rVMTa1ZXkYt/WQu+Vi83eFGs8XyjVhWqlVJZKFUaIi+WBYGsi7WaWBPEBlU5vXTlYYHoKMxURqhYX2ewRXI7lLP3AIsONsByCPk9gGaaiiUJmjgfIlmLgAWdw/IEjbgU4vkY4PEbgIUH3ZEJwS9GAeNdFhv0QTZcwhhg3cSCg79nJYRtB8C/N05LTSaPz20WO+EjU8z4PuKNP2LeSHCzT+8S3ty7wRJJD5Oa5Xu5PwHSl1qY',
  /** torch.ones(1).expand(1000, 1000) */
  expanded:
    'eNqlVM9r1EAUnmx2kzXCtvVSrFCvK2iaH5vtRtGFILkEcbuiLIKENDuuqemmk8yu6KkgFvwbFMG7d/Ev8CiK3rx5URC8ehJnNjadpGxK7SNhSPK+931v8r3pOXwVgHodHIpFcAZ4sf8gmMK1oYc9eedhaFsNcDcXuxUfRyRLdic4CBPJjeHmJAiHLobjJIrdqSYh0GwORFIxIZneCCIuhUh2GHn4VvpSQpUBR3IUxA94svo7E1R1OIxqGw648Z0n1x4SHOCAPSQ+9/0oDKGPg2icSDfjIYzh8HrgYwnVL/TRKYykPjot9xyx/qfzDr8k9ejdm9vrMjif9Srfj+JtD7tTGCekvm2dK7ScC5WSvP319SkVz5WSrID1A5J/e+F6YTAab8Mxti29jGdetFtUQPcR+lEhFJVSAUugmwnYfIxhRDfOtq78D+9+hAHGIaQanl39dlYgLEKphga4lnPVmmJbl08gAIDdLmXf2nr9hlCCain7ArMD2f89Uf+6RNk/vhrdPnr/V4F2YIBZ8wmMA+KAJx51shsMbUs+phjVWNc6qmkaqtoxWu2WrmhtxVAMU1Nbpqkrpt7SOoahU5UvrC/3mkRHc6aSo2IzneycLB5SXjwHimh2AJZzyJ8MujBZxSKsiVdyRTY4UDI5xTqsEZdydT4xdbIBKMJZJzVy8DsVUPBuEcv6YCGH/cxg5/TP/p7VHLjPgyOM03ME4eK+zfhLGVIsrB+4dP3NpyvBzT69r6XP6QlWE1KMOMtPc/8Cz0lcpw==',
  /** {'a': torch.ones(1)} */
  dictionary:
    'eNqlVL9v00AUPseJHQykLVJV2qFzkCC1HSduiiCShbx4IA0/FLFYjn0EFzfu2ZdUICFVQkXin0CCmZ0/gRGBmBAbExMSEyN3ceueXeqK9kn2yfb7vve98/euZ/FlAKpVcCzmwRXgRO4TfwrXPAc7jZ2ngWnUwKNM7JVeIDDgSL6DOBeHBNCwJ9gPYsmO4HDiB56N4TgOI3uqSqhUrw9EkhyTTGcEEZ9AJDMIHXwveSmh8oxQRpUBT1Z3Z4IEi8NI3LSAxe2jKr1deO26YRBAF/vhOJbuRh6MoHfHd7GEpGt9dBGjS310OW70LLH6bWP46h2holfvxI6XwHLaceNxGG072J7CKCYFTGMx1/hBKJT+w6/vL6lirpB+BehH9AcbYDuBPxpvwzE2jea/KxRHW6MCurvoZ4mUKBUKWADdVMDwGYYh3TPTuHmWuocR+BgHkGrYv/VjWSBVhEINNXA746o12TQ2ziEAgL0urb619fY9KQnKhdXnmB1I/+y5+m9KtPrnN6MHp+//KlCPDDBrPoaRTxzw3KEmtn3PNBr/KUZp6eq60um0FGW9pbW1pqy25ZYud5qapqiK3FJ0WdH1NlUpX3Xu14mO+kwlR8WmOtkJmT+mPH8O5NHsACxlkL8ZdG6m8iSsiVcyJJscKJicPA9rxIUMzxeGJx2APJx1Ui0Df1gCOe/msawP5jLYrwz2hP7Z37OaAfd5cIpxepYgXD+0GX8jRYq59ROXrH/4ZCW42aePleQ5OcEqQoIRZ/lJ7l8fRFfQ',
  /** torch.ones(1, dtype=torch.float64) */
  float64:
    'eNqlVL9v00AUPseNY4yUtjBUdKgYKhQkSOMfsVMqiGRVXjyQBoEiFstxrsHCjXv2JQiGCgl1QGJn49/gT+iIYGJgY4BOsNGRO5u69oUmojzJPtl+3/u+d/7edWx+AQBRBFOxBK4AN/Ke+BO4MXCxW99/GlhmFTwuxMuSh0OSVXfG2A9iyYlgf+wHAwfDURxGzkSREKjVehVSMSaZ7hAiLoVI2+G4H8AH6VsJlXocSWogvseT1dsfowWbw6i8YwObO0QCvVVee14YBNDDfjiKpfvRAEZwsO17WELizS66hJHURZfrHbsi3jj4vv6WVKJX59w2V8B61mZ9N4z2XOxMYBST+pZ5nel2OmTK9P7Hl1dUOzeTaRUYZ0x/9sJxA3842oMjbJnqXLK/hK5RAe1n6LhEKEozBSyDdiag/xzDkO6eZW5dhPc0Ah/jAFINh3e/XhMIizBTQxXcK7hqo2GZd/5DQFr1Z5sqOL56ckQpxZkKFsFWpiD70cZFJagSZf74bvhw/v6vAeXMAEnzMYx84oAXLrWz4w8ss/6PQuSmobTkzc2mLLeamq6pDUVvqEarqSqyrsuGohiqpqmJTd/8cg5qREctUclRsZnO/LAsTSlnzwEWnR+AlQLyWw7NjBdbJG/i1UKRHQ7MmBy2Tt6Iy4U6n3J1sgFg4XkXVQvwRyXAeJfF5n2wWMB+zmHP6T//e9YK4C4P5hinYwvCrVOb8bczZIVZP3DpesKnK8Eln47K6XN6gpWFFFNJ8tPc3x/BW8g=',
};

const load = (name: keyof typeof saved) => inflateSync(Buffer.from(saved[name], 'base64'));

const tensor = { dims: [4, 1, 5], data: Float32Array.from({ length: 20 }, (_, i) => Math.sin(i) * 10 ** (i - 10)) };
const file = writeTensor('voice', tensor);

/** A damaged file must give a CheckpointError or a tensor no larger than the file. */
function expectHarmless(read: () => { dims: number[]; data: Float32Array }, bytes: number): boolean {
  try {
    expect(read().data.length * 4).toBeLessThanOrEqual(bytes * 2);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(CheckpointError);
    return false;
  }
}

describe('readTensor', () => {
  it('reads what PyTorch writes', () => {
    expect(readTensor(load('float32'))).toEqual({
      dims: [2, 3, 4],
      data: Float32Array.from({ length: 24 }, (_, i) => i),
    });
  });

  it('reads float16 and transposed strides', () => {
    const expected = [0, 12, 4, 16, 8, 20, 1, 13, 5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23];
    expect(readTensor(load('transposed'))).toEqual({
      dims: [4, 3, 2],
      data: Float32Array.from(expected, (i) => i / 8),
    });
  });

  it('reads bfloat16 and a view with an offset', () => {
    expect(readTensor(load('slice'))).toEqual({ dims: [2, 2, 2], data: Float32Array.of(4, 6, 8, 10, 16, 18, 20, 22) });
  });

  it.each([
    ['expanded', 'more elements than the file'],
    ['dictionary', 'content other than one tensor'],
    ['float64', 'not float32, float16 or bfloat16'],
  ] as const)('rejects an %s', (name, message) => {
    expect(() => readTensor(load(name))).toThrow(CheckpointError);
    expect(() => readTensor(load(name))).toThrow(message);
  });

  it('reads files of writeTensor at any buffer offset', () => {
    expect(readTensor(file)).toEqual(tensor);
    const shifted = new Uint8Array(file.length + 3);
    shifted.set(file, 3);
    expect(readTensor(shifted.subarray(3))).toEqual(tensor);
  });

  it('rejects a file truncated at any byte', () => {
    for (const whole of [file, load('transposed')]) {
      for (let length = 0; length < whole.length; length++) {
        expect(() => readTensor(whole.subarray(0, length))).toThrow(CheckpointError);
      }
    }
  });

  it('survives damage of every byte', () => {
    let read = 0;
    for (const whole of [file, load('slice')]) {
      for (let i = 0; i < whole.length; i++) {
        for (const value of [0, 255, whole[i]! ^ 1, whole[i]! ^ 128]) {
          const bytes = Uint8Array.from(whole);
          bytes[i] = value;
          if (expectHarmless(() => readTensor(bytes), bytes.length)) read++;
        }
      }
    }
    // Damage to padding and dates is harmless; reading nothing would test nothing.
    expect(read).toBeGreaterThan(100);
  });

  it('detects a changed element', () => {
    const bytes = Uint8Array.from(file);
    const offset = Buffer.from(file).indexOf(Buffer.from(Float32Array.of(tensor.data[7]!).buffer));
    bytes[offset]! ^= 1;
    expect(() => readTensor(bytes)).toThrow('damaged');
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('a voice pack\n'.repeat(1000))],
    ['an empty archive', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)])],
    ['a megabyte of marks', Buffer.from('PK\x05\x06'.repeat(250_000))],
  ])('rejects %s', (_, bytes) => {
    expect(() => readTensor(bytes)).toThrow(CheckpointError);
  });
});

describe('readStateDictionary', () => {
  const checkpoint = readFileSync(new URL('../../test/fixtures/kokoro-small/kokoro-v1_0.pth', import.meta.url));

  it('reads the state of modules with names joined by dots', () => {
    const tensors = readStateDictionary(checkpoint);
    expect(tensors.size).toBe(664);
    const alpha = tensors.get('decoder.module.generator.resblocks.0.alpha1.0')!;
    expect(alpha.dims).toEqual([1, 16, 1]);
    const values = alpha.read();
    expect(values).toHaveLength(16);
    expect(values.every((value) => value >= 0.5 && value <= 2)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(10);
  });

  it('reads a dictionary of one tensor and rejects a bare tensor', () => {
    const tensors = readStateDictionary(load('dictionary'));
    expect([...tensors.keys()]).toEqual(['a']);
    expect(tensors.get('a')!.read()).toEqual(Float32Array.of(1));
    expect(() => readStateDictionary(load('float32'))).toThrow(CheckpointError);
  });

  it('rejects a truncated file', () => {
    for (let length = 0; length < checkpoint.length; length += 40_009) {
      expect(() => readStateDictionary(checkpoint.subarray(0, length))).toThrow(CheckpointError);
    }
  });
});

describe('unpickle', () => {
  const pickle = Buffer.from(readZip(load('float32')).get('archive/data.pkl')!);
  const parse = (text: string) => () => unpickle(Buffer.from(text, 'latin1'));

  it('parses the view of a storage', () => {
    expect(unpickle(pickle)).toEqual({
      storage: { key: '0', type: 'float32' },
      offset: 0,
      dims: [2, 3, 4],
      strides: [12, 4, 1],
    });
  });

  it('parses integers in dictionaries', () => {
    const dictionary = '}(X\x01\0\0\0aK\x01X\x01\0\0\0bM\x99\xcau.';
    expect(unpickle(Buffer.from(dictionary, 'latin1'))).toEqual(
      new Map([
        ['a', 1],
        ['b', 51_865],
      ]),
    );
  });

  it('survives damage of every byte', () => {
    for (let i = 0; i < pickle.length; i++) {
      for (let value = 0; value < 256; value++) {
        const bytes = Buffer.from(pickle);
        bytes[i] = value;
        try {
          const tensor = unpickle(bytes);
          if (tensor instanceof Map || typeof tensor === 'number') continue;
          const { dims, strides, offset } = tensor;
          expect([...dims, ...strides, offset].every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(
            true,
          );
        } catch (error) {
          if (!(error instanceof CheckpointError)) throw error;
        }
      }
    }
  });

  it.each([
    ['a call', 'cos\nsystem\n(X\x04\0\0\0exittR.'],
    ['a call by name', '\x8c\x02os\x8c\x06system\x93)R.'],
    ['an old call', "(S'exit'\nios\nsystem\n."],
    ['an object', 'cos\nsystem\n)\x81.'],
    ['a state', ')Nb.'],
    ['a dictionary of nothing', '}X\x01\0\0\0aNs.'],
    ['a dictionary with a duplicate name', '}X\x01\0\0\0a}sX\x01\0\0\0a}s.'],
    ['a dictionary within itself', '}q\0X\x01\0\0\0ah\0s.'],
    ['a dictionary with an odd number of items', '}(X\x01\0\0\0au.'],
    ['items without a dictionary', '}X\x01\0\0\0aK\x01s'.slice(1)],
    ['an extension', '\x82\x01.'],
    ['nothing', ''],
    ['a lone STOP', '.'],
    ['a mark', '(.'],
    ['a tuple without a mark', 't.'],
    ['an unknown memo key', 'h\x05.'],
    ['text beyond the end', 'X\xff\xff\xff\xffabc.'],
    ['a number', 'K\x05.'],
    ['a storage of numbers', '(K\x01K\x02K\x03tQ.'],
    ['a megabyte of marks', '('.repeat(1_000_000)],
    ['a megabyte of tuples', ')'.repeat(1_000_000)],
    ['nested tuples', `${')\x85'.repeat(500_000)}.`],
  ])('rejects %s', (_, text) => {
    expect(parse(text)).toThrow(CheckpointError);
  });
});
