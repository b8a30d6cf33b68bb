/**
 * Reads a body as text. Undefined for one of more than `mostBytes`, whose rest is not read: a provider's answer must not fill the
 * function's memory.
 */
export async function bodyWithin(answer: Response, mostBytes: number): Promise<string | undefined> {
  if (!answer.body) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = answer.body.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces).toString('utf8');
    bytes += value.length;
    if (bytes > mostBytes) {
      // Not awaited: of a cloned answer it ends only when the other copy has ended.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    pieces.push(value);
  }
}
