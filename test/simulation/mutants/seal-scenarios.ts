import { itemsOf } from '../../support/items-of.ts';
import { at, corruptions, found, restore, writeSealedDays } from '../../support/sealed-days.ts';
import { sealDays } from '../../../lib/seal/seal-days.ts';
import { anEntry } from '../../support/seals.ts';
import type { World } from '../harness/world.ts';

/** What somebody might do to a sealed journal is found, and nothing else; a seal is neither early nor written again. */
export async function changedSeals(world: World): Promise<void> {
  const { table } = world;
  const before = await itemsOf(table);
  const made = await writeSealedDays(table);
  const sealed = await itemsOf(table);
  for (const { what, change, about, text } of [
    { what: 'nothing', change: async () => undefined, about: [], text: /^$/ },
    ...corruptions,
  ]) {
    await restore(table, sealed);
    await change(made);
    const { about: subjects, texts } = await found(made);
    const told = subjects.toSorted().join();
    if (told !== about.toSorted().join() || !text.test(texts.join('\n')))
      world.violate('sealed', `after ${what} the verification tells of ${told || 'nothing'}`);
  }
  await restore(table, sealed);
  await notEarly(world, made);
  await notOverwritten(world, made);
  await restore(table, before);
}

type Made = Awaited<ReturnType<typeof writeSealedDays>>;

/** A day is sealed an hour after its end: an entry may be written until then. */
async function notEarly(world: World, { ports, post, sealAt }: Made): Promise<void> {
  await sealAt('11-22T21:59');
  await post(anEntry('at-the-last', new Date(at('11-22T21:00').getTime() - 1)));
  await sealAt('11-22T22:00');
  const { texts } = await found({ ports });
  if (texts.length > 0) world.violate('sealed', texts.join());
}

async function notOverwritten(world: World, { ports, chain }: Made): Promise<void> {
  const [seal] = await chain();
  if (seal) await ports.seals.write({ seal: { ...seal, count: 99 }, lines: [] });
  const again = await sealDays(ports);
  const [kept] = await chain();
  if (kept?.count !== seal?.count || again.written > 0)
    world.violate('overwritten', 'a seal was overwritten');
}
