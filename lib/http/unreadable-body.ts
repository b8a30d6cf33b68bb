/** The body of the request cannot be read; the message is a sentence for the caller: it says what to fix. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}
