/** What stops the runner and a person can mend: its message is one sentence that says what to do. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
