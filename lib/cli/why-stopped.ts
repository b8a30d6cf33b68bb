import { CommandError } from '../installation/command-error.ts';

const sentences: Readonly<Record<string, string>> = {
  not_found: 'There is no such bill here: check the id or the link.',
  paid: 'This bill is already paid: nothing was charged.',
  being_paid: 'This bill is being paid in another browser: pay it there, or wait until its lock ends.',
  switched_off:
    'This bill cannot be paid: it is switched off (bill/toggle_activity), or its shop or merchant is disabled or banned.',
  expired: 'This bill has expired: create a new one.',
  too_many_failures: 'This bill has too many failed attempts: create a new one.',
  too_many_attempts: 'Too many failed attempts from this address: wait ten minutes, then pay again.',
  unavailable: 'The acquirer is not responding: pay again in a minute.',
  error: 'The service had an error: check its log, then pay again.',
};

/** Returns the error for a page that ended the visit before a payment. */
export function whyStopped(outcome: string | undefined): CommandError {
  const code = outcome ?? 'strange_page';
  return new CommandError(
    sentences[code] ?? `The service showed a page that says "${code}": nothing was paid.`,
    code,
  );
}
