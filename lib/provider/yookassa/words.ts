/**
 * Returns what the provider says as one short line for the operator. What it may repeat of a request is left out: long numbers,
 * such as a card's or a phone's, and e-mail addresses.
 */
export const wordsOf = (text: string): string =>
  text
    .slice(0, 1000)
    .replace(/\d(?:[ ()-]{0,2}\d){8,}/g, '…')
    .replace(/[^\s@"'<>,;:]+@[^\s@"'<>,;:]+/g, '…')
    .replace(/[^\P{C}]/gu, ' ')
    .slice(0, 200);
