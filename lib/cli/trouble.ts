/** What stops a command and a person can mend: one sentence that says what to do. Ends the command with 1. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
  /** The same in one word, for scripts. */
  readonly code: string;

  constructor(code: string, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
