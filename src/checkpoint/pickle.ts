import { CheckpointError } from './checkpoint-error.ts';

/** A tensor of type `other` has a name and a shape but cannot be read. */
export type ElementType = 'float32' | 'float16' | 'bfloat16' | 'other';

/** A tensor as described by a pickle: a view of a storage, which is a separate file. */
export interface PickledTensor {
  storage: { key: string; type: ElementType };
  /** Index of the first element in the storage. */
  offset: number;
  dims: number[];
  /** In elements, one per dimension, never negative. */
  strides: number[];
}

/** What `torch.save` wrote: a tensor, or nested dictionaries of tensors and integers. */
export type PickledTree = PickledTensor | number | Map<string, PickledTree>;

const storageTypes = new Map<string, ElementType>([
  ['torch FloatStorage', 'float32'],
  ['torch HalfStorage', 'float16'],
  ['torch BFloat16Storage', 'bfloat16'],
]);

const REBUILD = 'torch._utils _rebuild_tensor_v2';
const ORDERED_DICT = 'collections OrderedDict';
const OTHER_STORAGE = /^torch [A-Z][A-Za-z]{0,20}Storage$/;
const MAX_DIMENSIONS = 32;
/** Nested dictionaries. */
const MAX_DEPTH = 16;
const MAX_PROTOCOL = 5;
const STOP = 0x2e;

/** Values on the stack. Functions and classes are only names; nothing is ever called. */
type Value =
  | { type: 'mark' }
  | { type: 'none' }
  | { type: 'boolean' }
  | { type: 'integer'; value: number }
  | { type: 'text'; value: string }
  | { type: 'tuple'; items: Value[] }
  | { type: 'global'; name: string }
  | { type: 'dictionary'; entries: [key: Value, value: Value][] }
  | { type: 'storage'; storage: PickledTensor['storage'] }
  | { type: 'tensor'; tensor: PickledTensor };

/**
 * Parses the pickle of a tensor or of nested dictionaries of tensors and integers. Supports only the operations that
 * torch.save uses for them.
 * @throws CheckpointError for damaged or any other content
 */
export function unpickle(bytes: Uint8Array): PickledTree {
  const budget = { entries: bytes.length };
  return toTree(new Unpickler(bytes).run(), budget, 0);
}

function toTree(value: Value, budget: { entries: number }, depth: number): PickledTree {
  if (value.type === 'tensor') return value.tensor;
  if (value.type === 'integer' && depth > 0) return value.value;
  if (value.type !== 'dictionary' || depth === MAX_DEPTH) throw unexpected();
  const tree = new Map<string, PickledTree>();
  for (const [key, item] of value.entries) {
    // A dictionary may be referenced many times, even by itself; bound the work.
    if (--budget.entries < 0) throw damaged();
    if (key.type !== 'text') throw unexpected();
    if (tree.has(key.value)) throw new CheckpointError(`The checkpoint has ${key.value} twice.`);
    tree.set(key.value, toTree(item, budget, depth + 1));
  }
  return tree;
}

class Unpickler {
  readonly #bytes: Buffer;
  #position = 0;
  readonly #stack: Value[] = [];
  readonly #memo = new Map<number, Value>();

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  run(): Value {
    for (;;) {
      const operation = this.#byte();
      if (operation === STOP) return this.#pop();
      const execute = this.#operations.get(operation);
      if (execute === undefined) throw unexpected();
      execute();
    }
  }

  /** Opcodes, with their names in Python's pickletools. */
  readonly #operations = new Map<number, () => void>([
    [/* PROTO */ 0x80, () => this.#checkProtocol(this.#byte())],
    [/* MARK */ 0x28, () => this.#push({ type: 'mark' })],
    [/* EMPTY_DICT */ 0x7d, () => this.#push({ type: 'dictionary', entries: [] })],
    [/* SETITEM */ 0x73, () => this.#setItems([this.#pop(), this.#pop()].reverse())],
    [/* SETITEMS */ 0x75, () => this.#setItems(this.#popToMark())],
    [/* BUILD */ 0x62, () => this.#dropState()],
    [/* EMPTY_TUPLE */ 0x29, () => this.#push({ type: 'tuple', items: [] })],
    [/* TUPLE */ 0x74, () => this.#push({ type: 'tuple', items: this.#popToMark() })],
    [/* TUPLE1 */ 0x85, () => this.#pushTuple(1)],
    [/* TUPLE2 */ 0x86, () => this.#pushTuple(2)],
    [/* TUPLE3 */ 0x87, () => this.#pushTuple(3)],
    [/* NONE */ 0x4e, () => this.#push({ type: 'none' })],
    [/* NEWTRUE */ 0x88, () => this.#push({ type: 'boolean' })],
    [/* NEWFALSE */ 0x89, () => this.#push({ type: 'boolean' })],
    [/* BININT1 */ 0x4b, () => this.#pushInteger(this.#byte())],
    [/* BININT2 */ 0x4d, () => this.#pushInteger(this.#take(2).readUInt16LE())],
    [/* BININT */ 0x4a, () => this.#pushInteger(this.#take(4).readInt32LE())],
    [/* LONG1 */ 0x8a, () => this.#pushInteger(this.#long())],
    [/* BINUNICODE */ 0x58, () => this.#push({ type: 'text', value: this.#take(this.#uint32()).toString('utf8') })],
    [/* GLOBAL */ 0x63, () => this.#push({ type: 'global', name: `${this.#line()} ${this.#line()}` })],
    [/* BINPUT */ 0x71, () => this.#remember(this.#byte())],
    [/* LONG_BINPUT */ 0x72, () => this.#remember(this.#uint32())],
    [/* BINGET */ 0x68, () => this.#recall(this.#byte())],
    [/* LONG_BINGET */ 0x6a, () => this.#recall(this.#uint32())],
    [/* BINPERSID */ 0x51, () => this.#push({ type: 'storage', storage: toStorage(this.#pop()) })],
    [/* REDUCE */ 0x52, () => this.#reduce()],
  ]);

  #reduce(): void {
    const parameters = this.#pop();
    this.#push(reduce(this.#pop(), parameters));
  }

  #setItems(items: Value[]): void {
    const dictionary = this.#stack.at(-1);
    if (dictionary?.type !== 'dictionary' || items.length % 2 > 0) throw damaged();
    for (let index = 0; index < items.length; index += 2) dictionary.entries.push([items[index]!, items[index + 1]!]);
  }

  /** A state dictionary has an attribute with the versions of its modules, which is not needed. */
  #dropState(): void {
    this.#pop();
    if (this.#stack.at(-1)?.type !== 'dictionary') throw unexpected();
  }

  #checkProtocol(protocol: number): void {
    if (protocol > MAX_PROTOCOL) throw damaged();
  }

  #byte(): number {
    return this.#take(1).readUInt8();
  }

  #uint32(): number {
    return this.#take(4).readUInt32LE();
  }

  #take(count: number): Buffer {
    const start = this.#position;
    if (start + count > this.#bytes.length) throw damaged();
    this.#position += count;
    return this.#bytes.subarray(start, this.#position);
  }

  #line(): string {
    const end = this.#bytes.indexOf(10, this.#position);
    if (end < 0) throw damaged();
    const line = this.#bytes.toString('latin1', this.#position, end);
    this.#position = end + 1;
    return line;
  }

  /** Two's complement, after a byte with its length. */
  #long(): number {
    const count = this.#byte();
    if (count > 6) throw damaged();
    const bytes = this.#take(count);
    return count === 0 ? 0 : bytes.readIntLE(0, count);
  }

  #push(value: Value): void {
    this.#stack.push(value);
  }

  #pushInteger(value: number): void {
    this.#push({ type: 'integer', value });
  }

  #pushTuple(count: number): void {
    if (this.#stack.length < count) throw damaged();
    this.#push({ type: 'tuple', items: this.#stack.splice(-count) });
  }

  #pop(): Value {
    const value = this.#stack.pop();
    if (value === undefined || value.type === 'mark') throw damaged();
    return value;
  }

  #popToMark(): Value[] {
    const mark = this.#stack.findLastIndex(({ type }) => type === 'mark');
    if (mark < 0) throw damaged();
    return this.#stack.splice(mark).slice(1);
  }

  #remember(key: number): void {
    const value = this.#stack.at(-1);
    if (value === undefined) throw damaged();
    this.#memo.set(key, value);
  }

  #recall(key: number): void {
    const value = this.#memo.get(key);
    if (value === undefined) throw damaged();
    this.#push(value);
  }
}

/** Parses the persistent id `('storage', class, key, device, elements)`. */
function toStorage(id: Value): PickledTensor['storage'] {
  const [kind, storageClass, key] = toItems(id);
  if (kind?.type !== 'text' || kind.value !== 'storage' || storageClass?.type !== 'global' || key?.type !== 'text') {
    throw damaged();
  }
  const type = storageTypes.get(storageClass.name) ?? (OTHER_STORAGE.test(storageClass.name) ? 'other' : undefined);
  if (type === undefined) throw unexpected();
  return { key: key.value, type };
}

function reduce(callable: Value, parameters: Value): Value {
  const name = callable.type === 'global' ? callable.name : '';
  const items = toItems(parameters);
  if (name === ORDERED_DICT && items.length === 0) return { type: 'dictionary', entries: [] };
  if (name !== REBUILD) throw unexpected();
  const [storage, offset, dims, strides] = items;
  if (storage?.type !== 'storage' || offset === undefined || dims === undefined || strides === undefined) {
    throw damaged();
  }
  const tensor = {
    storage: storage.storage,
    offset: toCount(offset),
    dims: toItems(dims).map(toCount),
    strides: toItems(strides).map(toCount),
  };
  if (tensor.dims.length > MAX_DIMENSIONS || tensor.dims.length !== tensor.strides.length) throw damaged();
  return { type: 'tensor', tensor };
}

function toItems(value: Value): Value[] {
  if (value.type !== 'tuple') throw damaged();
  return value.items;
}

function toCount(value: Value): number {
  if (value.type !== 'integer' || value.value < 0) throw damaged();
  return value.value;
}

function unexpected(): CheckpointError {
  return new CheckpointError('The checkpoint has content other than tensors.');
}

function damaged(): CheckpointError {
  return new CheckpointError('The file is damaged: its pickle cannot be read.');
}
