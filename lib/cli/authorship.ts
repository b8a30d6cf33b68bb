import type { LocalCaller, LocalRole } from '../installation/local-caller.ts';
import type { Author } from '../store/table.ts';

type Ports = { readonly now: () => Date; readonly newId: (length: number) => string };

/**
 * Holds the author of changes to settings, as recorded with each change, and the role at the local service. The default is
 * the service itself as administrator, for the setup at a start.
 */
export function authorship({ now, newId }: Ports) {
  let person = async (): Promise<string> => 'paylink';
  let command = 'npm start';
  let role: LocalRole = 'administrator';
  return {
    as: (by: () => Promise<string>, what: string, under: LocalRole): void => {
      [person, command, role] = [by, what, under];
    },
    /** Changes the person's role from now on. */
    under: (other: LocalRole): void => {
      role = other;
    },
    caller: async (): Promise<LocalCaller> => ({ role, by: await person() }),
    author: async (): Promise<Author> => ({ by: await person(), at: now(), id: newId(8), what: command }),
  };
}
