import { synthesize } from '../synthesize.ts';
import { messageOf } from '../../lib/installation/command-error.ts';
import { mapsDir } from '../../lib/installation/source-maps.ts';

/** What this process is told, as its only argument. */
export type AssembleOrder = { readonly outdir: string; readonly steps: 'one' | 'two' | undefined };

/** What it answers: the template's folder, or why there is none. */
export type Assembled =
  | { readonly kind: 'made'; readonly folder: string }
  | { readonly kind: 'failed'; readonly error: string };

/** Without the check against CloudFormation's schemas, which `npm run synth` and the tests make. */
async function make({ outdir, steps }: AssembleOrder): Promise<Assembled> {
  try {
    const context = steps ? { steps } : {};
    return {
      kind: 'made',
      folder: await synthesize({ environment: 'local', outdir, context, validate: false, maps: mapsDir }),
    };
  } catch (thrown) {
    return { kind: 'failed', error: messageOf(thrown) };
  }
}

const made = await make(JSON.parse(process.argv[2] ?? '{}'));
process.send?.(made, () => process.disconnect());
