/** The request body cannot be read. The message is a sentence for the caller that says what to fix. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}
