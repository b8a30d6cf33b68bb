import skeletonOf from 'unhomoglyph';

/**
 * Two names are one person's when a reader could take one for the other: case, blanks and confusable letters (Unicode
 * UTS #39: a Cyrillic and a Latin "a") make no difference. Of an AWS identity, `<role>:<session name>`, the session's
 * name counts, so that whoever may take two roles stays one person.
 */
export const isSamePerson = (one: string, other: string): boolean =>
  one === other || folded(one) === folded(other);

/** Case first: capitals of several alphabets look alike where their small letters do not. */
const folded = (name: string): string => {
  const plain = sessionName(name).normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  return skeletonOf(skeletonOf(plain.normalize('NFD')).normalize('NFD')).toLowerCase();
};

/** `AROA…:alice` is alice, in whichever role. */
const sessionName = (identity: string): string => /^A[A-Z0-9]{15,}:(.+)$/.exec(identity)?.[1] ?? identity;
