import skeletonOf from 'unhomoglyph';

/**
 * Whether two names belong to one person, that is, whether a reader could mistake one for the other: case, blanks and
 * confusable letters (Unicode UTS #39: a Cyrillic and a Latin "a") are ignored. Of an AWS identity,
 * `<role>:<session name>`, only the session name is compared, so a person who may assume two roles is still one person.
 */
export const isSamePerson = (one: string, other: string): boolean =>
  one === other || folded(one) === folded(other);

/** Folds case first: capitals of different alphabets look alike where their small letters do not. */
const folded = (name: string): string => {
  const plain = sessionName(name).normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  return skeletonOf(skeletonOf(plain.normalize('NFD')).normalize('NFD')).toLowerCase();
};

/** Returns `alice` for `AROA…:alice`, in any role. */
const sessionName = (identity: string): string => /^A[A-Z0-9]{15,}:(.+)$/.exec(identity)?.[1] ?? identity;
