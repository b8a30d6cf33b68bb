const characters = new Intl.Segmenter('ru', { granularity: 'grapheme' });

/** Cuts text to a number of UTF-16 units, before the character (grapheme cluster) that would not fit whole. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const first = characters.segment(text).containing(longest);
  return text.slice(0, first?.index ?? longest);
}
