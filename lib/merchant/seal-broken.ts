/** The sealed text was not sealed under this context or key, or is damaged: no later try will open it. */
export class SealBroken extends Error {
  constructor() {
    super('The sealed text does not open under its context.');
    this.name = 'SealBroken';
  }
}
