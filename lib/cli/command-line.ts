import { dataFolder } from '../installation/paths.ts';

type Installation = { readonly env: string; readonly folder: string };

/**
 * Returns the command line that runs these words on the same installation, to be copied into a shell: words that a shell would change are
 * quoted.
 */
export const commandLine = ({ env, folder }: Installation, words: readonly string[]): string =>
  [
    'npm run paylink --',
    ...(env === 'local' ? [] : [`--env ${env}`]),
    ...(env !== 'local' || folder === dataFolder ? [] : [`--folder ${quoted(folder)}`]),
    ...words.map(quoted),
  ].join(' ');

const quoted = (word: string): string =>
  /^[\w./:@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
