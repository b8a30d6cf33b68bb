import type { Command } from 'commander';
import { SourceMap } from 'node:module';
import { CommandError } from '../../installation/command-error.ts';
import { keptMap, mapsDir } from '../../installation/source-maps.ts';
import type { Shell } from '../shell.ts';

type Place = { readonly at: string; readonly source: string };

/** Unlike other commands, it connects to no environment: everything that it reads is on this machine. */
export function whereCommand(command: Command, shell: Shell): void {
  command
    .option('--maps <folder>', 'folder with the source maps of builds', mapsDir)
    .addHelpText('after', '\nExample:\n  npm run paylink -- where 3fa94c01be77 1:20345 1:1042');
  command.action(async (build: string, given: readonly string[]) => {
    const { json, maps } = command.optsWithGlobals<{ readonly json?: true; readonly maps: string }>();
    const { name, places } = await resolved(maps, build, given);
    const lines = places.map(({ at, source }) => `  ${at}  ${source}`);
    shell.out(
      json ? JSON.stringify({ function: name, build, places }, null, 2) : [`${name}:`, ...lines].join('\n'),
    );
  });
}

/** A log's `at` field may be given whole, as one argument or several. */
async function resolved(folder: string, build: string, given: readonly string[]) {
  const positions = given.flatMap((text) => text.split(' ')).filter((text) => text !== '');
  const wrong = positions.find((position) => !/^\d+:\d+$/.test(position));
  if (wrong !== undefined)
    throw new CommandError(
      `"${wrong}" is not a position: give it as in the log, like 1:20345.`,
      'position_invalid',
    );
  const kept = await keptMap(folder, build);
  if (!kept) throw new CommandError(notKept(build, folder), 'map_not_kept');
  const map = new SourceMap(kept.map);
  return { name: kept.name, places: positions.map((at) => placeOf(map, at)) };
}

const notKept = (build: string, folder: string): string =>
  `There is no source map of build ${build} in ${folder}. Check out the deployed commit, run npm ci and npm run build, and ` +
  'try again: the same commit gives the same build.';

function placeOf(map: SourceMap, at: string): Place {
  const [line = 0, column = 0] = at.split(':').map(Number);
  const found = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in found)) return { at, source: 'no source line' };
  const { originalSource, originalLine, originalColumn } = found;
  // Source paths in maps are relative to dist/<function>/.
  return {
    at,
    source: `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${originalLine + 1}:${originalColumn + 1}`,
  };
}
