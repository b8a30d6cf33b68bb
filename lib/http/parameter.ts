/** A value that is not text. An endpoint that takes the parameter refuses it with the sentence; others ignore it. */
export type Unreadable = {
  readonly sentence: string;
  /** Form fields or JSON that are left out of a bill instead of refusing it. */
  readonly leftOut?: true;
};

/** One parameter as text; a list when it was given more than once. */
export type Parameter = string | readonly string[] | Unreadable;

export const isUnreadable = (value: Parameter): value is Unreadable =>
  typeof value === 'object' && 'sentence' in value;

/** A parameter of a request; names may repeat. */
export type Entry = readonly [name: string, value: Parameter];
