const languages = ['ru', 'en'] as const;
export type Language = (typeof languages)[number];

/** The supported language of that name, ignoring case, as in `?lang=en`; otherwise undefined. */
export const languageNamed = (name: string | undefined): Language | undefined =>
  languages.find((each) => each === name?.toLowerCase());

/** The supported language that `Accept-Language` prefers; Russian when it names none. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const wishes = (acceptLanguage ?? '')
    .split(',')
    .map(wish)
    .filter((each) => each.weight > 0);
  const ours = wishes.filter((each) => languageNamed(each.name)).sort((a, b) => b.weight - a.weight);
  return languageNamed(ours[0]?.name) ?? 'ru';
}

function wish(part: string): { readonly name: string; readonly weight: number } {
  const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
  const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean);
  return { name: tag.split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
}
