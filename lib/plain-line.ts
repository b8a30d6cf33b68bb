/**
 * Returns untrusted text as one line without characters that affect the text around it: control characters and bidirectional controls
 * (U+202E and others). For page titles and the acquirer's pages, where no `<bdi>` can isolate it.
 */
export const plainLine = (text: string): string =>
  text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
