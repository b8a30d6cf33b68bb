import { html, type Html } from './html.ts';
import type { Language } from './language.ts';
import { messagesIn } from './messages.ts';

type Read = { readonly now: Date; readonly language: Language };

/** A sentence around the minutes until a time: from now, because the payer's clock and time zone are unknown. */
export function inMinutes(
  [before, after]: readonly [string, string],
  until: Date,
  { now, language }: Read,
): Html {
  const minutes = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 60_000));
  return html`${before} <time datetime="${until.toISOString()}">${minutes} ${messagesIn(language).minutes}</time>${after}`;
}
