import { addAbortSignal, type Readable } from 'node:stream';

const readAtMost = 4 * 1024;
const keptAtMost = 1024;

/** The first bytes of a body that may be endless, broken off or never come. What did come is kept. */
export async function firstBytes(body: Readable, signal: AbortSignal): Promise<Buffer> {
  const pieces: AsyncIterable<Uint8Array> = addAbortSignal(signal, body);
  let read = Buffer.alloc(0);
  try {
    for await (const piece of pieces) {
      read = Buffer.concat([read, piece]);
      if (read.length >= readAtMost) break;
    }
  } catch {
    // The status was heard already; a body that ends badly changes nothing.
  }
  return read.subarray(0, readAtMost);
}

/** The text for the operator's screen: no control characters, which a terminal would obey. */
export const shownText = (bytes: Buffer): string =>
  bytes
    .subarray(0, keptAtMost)
    .toString('utf8')
    .replace(/[^\P{C}\n\t]/gu, '\ufffd');
