/** Writes one line of named fields. Never an event, a body, a header or an error's message: secrets ride in them. */
export type Log = (event: string, fields: Readonly<Record<string, string | number | boolean>>) => void;
