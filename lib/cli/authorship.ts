import type { LocalCaller, LocalRole } from '../installation/local-caller.ts';
import type { Author } from '../store/table.ts';

type Ports = { readonly now: () => Date; readonly newId: (length: number) => string };

/**
 * Who works with the settings, as each change of them is recorded, and under which policy at the local service. Until
 * told otherwise it is the service itself, which sets up what a start needs as the account's administrator would.
 */
export function authorship({ now, newId }: Ports) {
  let person = async (): Promise<string> => 'paylink';
  let command = 'npm start';
  let role: LocalRole = 'administrator';
  return {
    as: (by: () => Promise<string>, what: string, under: LocalRole): void => {
      [person, command, role] = [by, what, under];
    },
    /** From now on the same person holds this policy. */
    under: (other: LocalRole): void => {
      role = other;
    },
    caller: async (): Promise<LocalCaller> => ({ role, by: await person() }),
    author: async (): Promise<Author> => ({ by: await person(), at: now(), id: newId(8), what: command }),
  };
}
