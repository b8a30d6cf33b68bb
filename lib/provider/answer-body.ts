import { addAbortSignal, type Readable } from 'node:stream';

const readAtMost = 4 * 1024;
const shownAtMost = 1024;

/** Reads the first bytes of a body, which may be endless, cut off or delayed; returns what arrived before `signal` aborts. */
export async function firstBytes(body: Readable, signal: AbortSignal): Promise<Buffer> {
  const pieces: AsyncIterable<Uint8Array> = addAbortSignal(signal, body);
  let read = Buffer.alloc(0);
  try {
    for await (const piece of pieces) {
      read = Buffer.concat([read, piece]);
      if (read.length >= readAtMost) break;
    }
  } catch {
    // The status is already known; a broken body does not change the outcome.
  }
  return read.subarray(0, readAtMost);
}

/** The text for the operator's screen, without control characters, which a terminal would interpret. */
export const shownText = (bytes: Buffer): string =>
  bytes
    .subarray(0, shownAtMost)
    .toString('utf8')
    .replace(/[^\P{C}\n\t]/gu, '\ufffd');
