import { synthesize } from '../synthesize.ts';
import { messageOf } from '../../lib/installation/command-error.ts';
import { mapsDir } from '../../lib/installation/source-maps.ts';

/** The process's only argument, as JSON. */
export type AssembleOrder = {
  readonly outdir: string;
  readonly steps: 'one' | 'two' | undefined;
  /** The base URL of the YooKassa emulator; undefined without it. */
  readonly yookassaUrl: string | undefined;
};

/** The message that the process sends: the folder of the assembly, or the error. */
export type Assembled =
  | { readonly kind: 'made'; readonly folder: string }
  | { readonly kind: 'failed'; readonly error: string };

/** Synthesizes without validation against CloudFormation's schemas: `npm run synth` and the tests validate. */
async function make({ outdir, steps, yookassaUrl }: AssembleOrder): Promise<Assembled> {
  try {
    const context = { ...(steps && { steps }), ...(yookassaUrl !== undefined && { yookassaUrl }) };
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
