/** What cannot be read as text. An endpoint that knows the parameter refuses it with the sentence, others ignore it. */
export type Unreadable = { readonly sentence: string };

/** One parameter as text; a list where it was given more than once. */
export type Parameter = string | readonly string[] | Unreadable;

export const isUnreadable = (value: Parameter): value is Unreadable =>
  typeof value === 'object' && 'sentence' in value;

/** A parameter as a request carries it; the same name may come again. */
export type Entry = readonly [name: string, value: Parameter];
