import type { Author } from '../store/table.ts';

type Ports = { readonly now: () => Date; readonly newId: (length: number) => string };

/** Who works with the settings, as each change of them is recorded. Until told otherwise it is the service itself. */
export function authorship({ now, newId }: Ports) {
  let person = async (): Promise<string> => 'paylink';
  let command = 'npm start';
  return {
    as: (by: () => Promise<string>, what: string): void => {
      person = by;
      command = what;
    },
    author: async (): Promise<Author> => ({ by: await person(), at: now(), id: newId(8), what: command }),
  };
}
