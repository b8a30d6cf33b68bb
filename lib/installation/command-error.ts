/** An error that the person at the terminal can fix. Its message is one sentence that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** The error's code, for scripts that read `--json`. */
  readonly code: string;

  constructor(sentence: string, code = 'not_possible') {
    super(sentence);
    this.code = code;
  }
}

/** Returns the message of a thrown value, or the value as text when it is no `Error`. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
