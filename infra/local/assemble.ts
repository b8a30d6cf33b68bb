import { synthesize } from '../synthesize.ts';
import { messageOf, Trouble } from './trouble.ts';

/** Bundles the functions and synthesizes the local environment's template. Gives its folder. */
export async function assemble(
  outdir: string,
  { steps }: { readonly steps: 'one' | 'two' | undefined },
): Promise<string> {
  try {
    return await synthesize({ environment: 'local', outdir, context: steps ? { steps } : {} });
  } catch (thrown) {
    const [first, second] = messageOf(thrown)
      .split('\n')
      .filter((line) => line.trim() !== '');
    // esbuild counts its errors first and then names them.
    const reason = first?.startsWith('Build failed') && second ? second : (first ?? 'no reason given');
    throw new Trouble(`The template can not be synthesized, so mend this and start again: ${reason}`);
  }
}
