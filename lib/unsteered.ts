/**
 * One line of a stranger's text without what steers the text around it: controls, and the marks that turn the direction
 * of reading (U+202E and its kind). For titles and foreign pages, where no `<bdi>` can hold them in.
 */
export const unsteered = (text: string): string =>
  text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
