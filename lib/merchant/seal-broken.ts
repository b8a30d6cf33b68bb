/** The text was sealed under another context or key, or is damaged: a retry will not decrypt it. */
export class SealBroken extends Error {
  constructor() {
    super('The sealed text cannot be decrypted under its context.');
    this.name = 'SealBroken';
  }
}
