const characters = new Intl.Segmenter('ru', { granularity: 'grapheme' });

/**
 * Cuts text to a number of UTF-16 units, before the character (grapheme cluster) that would not fit whole. Never to nothing: of a first
 * character that is longer, such as a letter with hundreds of accents, the code points that fit are left.
 */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const first = characters.segment(text).containing(longest);
  if (first?.index) return text.slice(0, first.index);
  return text.slice(0, isPair(text, longest) ? longest - 1 : longest);
}

/** Whether a cut here would part the two units of a code point. */
const isPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;
