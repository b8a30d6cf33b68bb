import { describe, expect, it } from 'vitest';
import { operatorHarness } from '../support/operator.ts';

describe('page-secret rotate', () => {
  it('asks for confirmation, replaces the secret and shows until when the old one is valid', async () => {
    const { type, asked, pageSecrets } = await operatorHarness();
    const { exitCode, said } = await type('page-secret rotate', true);
    expect(exitCode).toBe(0);
    expect(asked).toEqual([
      'Replace the secret of the payer pages? Forms on pages that are open now stay valid for their full lifetime.',
    ]);
    expect(pageSecrets).toEqual([expect.stringMatching(/^.{64}$/)]);
    expect(said).toContain(
      'every function accepts the new secret within five minutes and signs with it within fifteen',
    );
    expect(said).not.toContain(pageSecrets[0]);
  });

  it('with --at-once removes a leaked secret, also as the previous one', async () => {
    const { json, pageSecrets } = await operatorHarness();
    expect(await json('page-secret rotate --at-once')).toEqual({ rotated: true, atOnce: true });
    expect(new Set(pageSecrets).size).toBe(2);
  });

  it('changes nothing without confirmation', async () => {
    const { type, pageSecrets } = await operatorHarness();
    await type('page-secret rotate', false);
    expect(pageSecrets).toEqual([]);
  });
});
