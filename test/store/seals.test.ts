import { describe, expect, it } from 'vitest';
import { toMerchantId } from '../../lib/ids.ts';
import { noHash } from '../../lib/seal/canonical.ts';
import { closingOf } from '../../lib/seal/closing-of.ts';
import { sealDays, type SealingPart } from '../../lib/seal/seal-days.ts';
import type { SealPorts } from '../../lib/seal/ports.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { aMerchant, merchantId } from '../support/builders.ts';
import { freshTable } from '../support/dynamo.ts';
import { anEntry, moscow, post, rub, rubOf, sealPortsOn } from '../support/seals.ts';

const other = toMerchantId('OtherMerchant001');
const at = (text: string) => new Date(`2026-${text}:00.000Z`);

/** A table with two merchants, and the sealing at a time that the test sets. */
async function given(start: string) {
  const table = await freshTable({ lockMs: 0 });
  for (const id of [merchantId, other])
    await dynamoMerchants(table).create(aMerchant({ id, createdAt: at('10-01T00:00'), tokenHash: id }));
  let now = at(start);
  const ports = sealPortsOn(table, { now: () => now });
  return {
    table,
    ports,
    post: (...entries: Parameters<typeof post>[1][]) => post(table, ...entries),
    sealAt: (text: string, traits: Partial<SealPorts> = {}) => {
      now = at(text);
      return sealAll({ ...ports, ...traits });
    },
    chain: async (merchant = merchantId) =>
      (await ports.seals.allOf(rubOf(merchant))).flatMap(({ seal }) => seal ?? []),
  };
}

async function sealAll(ports: SealPorts): Promise<readonly SealingPart[]> {
  const parts = [await sealDays(ports)];
  for (let last = parts[0]; last && !last.done; parts.push(last)) last = await sealDays(ports, last.cursor);
  return parts;
}

describe('sealing', () => {
  it('an hour after its end seals each day that has entries, from the first entry on', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    await write(
      anEntry('first', at('10-30T23:00')),
      anEntry('last-moment', new Date(at('11-19T21:00').getTime() - 1)),
      anEntry('next', at('11-19T21:00')),
      anEntry('today', at('11-20T21:00')),
      anEntry('of-another', at('11-19T22:00'), { merchantId: other }),
    );
    await sealAt('11-21T21:59');
    const [first, second, third] = await chain();
    expect([first, second, third]).toMatchObject([
      { date: '2026-10-31', count: 1, previous: noHash },
      { date: '2026-11-19', count: 1, previous: first?.hash },
      {
        date: '2026-11-20',
        count: 1,
        previous: second?.hash,
        from: at('11-19T21:00'),
        to: at('11-20T21:00'),
      },
    ]);
    expect(await chain(other)).toMatchObject([{ date: '2026-11-20', count: 1, previous: noHash }]);
    expect(await closingOf(ports, merchantId, 'RUB')).toEqual({
      to: at('11-20T21:00'),
      sums: [rub('acquirer', -300n), rub('available', 300n)],
    });
    expect(await ports.seals.lastCheckpoint()).toMatchObject({ to: at('11-20T21:00'), chains: 2, parts: 1 });
    expect(await ports.seals.headsOf({ date: '2026-11-20' }, 0)).toHaveLength(2);
  });

  it('changes nothing when it is repeated, and seals the next day after another 24 hours', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    await write(anEntry('one', at('11-20T10:00')), anEntry('two', at('11-21T10:00')));
    expect(await sealAt('11-21T00:00')).toMatchObject([{ done: true, written: 1 }]);
    expect(await sealAt('11-21T20:00')).toMatchObject([{ done: true, written: 0 }]);
    expect(await sealAt('11-21T22:00')).toMatchObject([{ done: true, written: 1 }]);
    expect(await chain()).toHaveLength(2);
    const [first, second] = await ports.seals.checkpoints();
    expect(second).toMatchObject({ date: '2026-11-21', chains: 1, previous: first?.hash });
  });

  it('continues where its time was over, in the middle of a chain, with the same seals', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    const days = ['11-01', '11-02', '11-03', '11-04', '11-05'];
    const entries = days.map((day) => anEntry(day, at(`${day}T10:00`)));
    await write(
      ...entries,
      ...entries.map((each) => ({ ...each, about: `other-${each.about}`, merchantId: other })),
    );
    let looks = 0;
    const parts = await sealAt('11-21T12:00', { remainingMs: () => ((looks += 1) % 4 === 0 ? 0 : 60_000) });
    expect(parts.length).toBeGreaterThan(3);
    expect((await chain()).map(({ date }) => date)).toEqual(days.map((day) => `2026-${day}`));
    expect(await chain(other)).toHaveLength(5);
    expect(await ports.seals.lastCheckpoint()).toMatchObject({ chains: 2, parts: 1 });
  });

  it('after a change of the zone begins where it ended: no gap, no overlap', async () => {
    const { sealAt, chain, post: write } = await given('11-21T12:00');
    await write(
      anEntry('moscow', at('11-20T20:00')),
      anEntry('between', at('11-20T22:00')),
      anEntry('utc', at('11-22T23:00')),
    );
    await sealAt('11-21T12:00', { timeZone: moscow });
    await sealAt('11-23T12:00', { timeZone: 'UTC' });
    expect(await chain()).toMatchObject([
      { date: '2026-11-20', timeZone: moscow, to: at('11-20T21:00'), count: 1 },
      { date: '2026-11-21', timeZone: 'UTC', from: at('11-20T21:00'), to: at('11-22T00:00'), count: 1 },
      { date: '2026-11-22', timeZone: 'UTC', from: at('11-22T00:00'), to: at('11-23T00:00'), count: 1 },
    ]);
  });

  it('keeps the lines of a day, which its hash covers', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    await write(anEntry('one', at('11-20T10:00')), anEntry('two', at('11-20T11:00')));
    await sealAt('11-21T12:00');
    const [seal] = await chain();
    expect(seal && (await ports.seals.linesOf(seal))).toEqual([
      expect.stringMatching(/^one CAPTURE [0-9a-f]{64}$/),
      expect.stringMatching(/^two CAPTURE [0-9a-f]{64}$/),
    ]);
  });

  it('writes each seal to the archive before the table, again after an interruption', async () => {
    const { sealAt, chain, post: write } = await given('11-21T12:00');
    await write(anEntry('one', at('11-20T10:00')));
    const kept: string[] = [];
    let isBroken = true;
    const sealArchive = {
      keepSeal: async ({ date }: { readonly date: string }) => {
        kept.push(`seal ${date}`);
        if (isBroken) throw new TypeError('The bucket does not answer');
      },
      keepCheckpoint: async ({ date }: { readonly date: string }) => void kept.push(`checkpoint ${date}`),
    };
    await expect(sealAt('11-21T12:00', { sealArchive })).rejects.toThrow('does not answer');
    expect(await chain()).toEqual([]);
    isBroken = false;
    await sealAt('11-21T12:00', { sealArchive });
    expect(kept).toEqual(['seal 2026-11-20', 'seal 2026-11-20', 'checkpoint 2026-11-20']);
    expect(await chain()).toHaveLength(1);
  });
});
