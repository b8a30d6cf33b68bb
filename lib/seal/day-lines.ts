const hashBytes = 32;
const chunkBytes = 2 ** 20;

/**
 * The lines of a day's entries: each key with the hash of its entry. They are kept as bytes outside the heap, which the garbage collector need not
 * walk: about 75 of each line, so that a million fit into the memory of a function.
 */
export class DayLines {
  readonly #chunks: Buffer[] = [];
  #used = chunkBytes;
  /** Where each line begins, in bytes since the beginning of the first chunk, and its length. */
  readonly #begins: number[] = [];
  readonly #lengths: number[] = [];

  get count(): number {
    return this.#begins.length;
  }

  /** Adds a line. The hash is hexadecimal. */
  add(key: string, hash: string): void {
    const text = `${key} `;
    const length = Buffer.byteLength(text) + hashBytes;
    if (this.#used + length > chunkBytes) {
      this.#chunks.push(Buffer.allocUnsafeSlow(Math.max(chunkBytes, length)));
      this.#used = 0;
    }
    const chunk = this.#chunks.at(-1);
    chunk?.write(text, this.#used);
    chunk?.write(hash, this.#used + length - hashBytes, 'hex');
    this.#begins.push((this.#chunks.length - 1) * chunkBytes + this.#used);
    this.#lengths.push(length);
    this.#used += length;
  }

  /** Returns the lines in the order of their bytes: `<key> <hash>`. */
  *inOrder(): Generator<string> {
    const order = Uint32Array.from(this.#begins.keys());
    for (const at of order.sort((one, other) => this.#bytesOf(one).compare(this.#bytesOf(other)))) {
      const bytes = this.#bytesOf(at);
      const end = bytes.length - hashBytes;
      yield `${bytes.toString('utf8', 0, end)}${bytes.toString('hex', end)}`;
    }
  }

  #bytesOf(at: number): Buffer {
    const begin = this.#begins[at] ?? 0;
    const from = begin % chunkBytes;
    return (
      this.#chunks[Math.floor(begin / chunkBytes)]?.subarray(from, from + (this.#lengths[at] ?? 0)) ?? empty
    );
  }
}

const empty = Buffer.alloc(0);
