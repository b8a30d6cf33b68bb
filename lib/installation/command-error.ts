/** What stops a command and a person can fix: its message is one sentence that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** The same in one word, for scripts that read `--json`. */
  readonly code: string;

  constructor(sentence: string, code = 'not_possible') {
    super(sentence);
    this.code = code;
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
