import { movements } from '../../lib/sandbox/books.ts';
import { kindManners, type SandboxManners, unkindManners } from '../../lib/sandbox/manners.ts';
import { payoutValues, type TransferOutcome } from '../../lib/sandbox/test-values.ts';
import { sandboxRail } from '../../lib/provider/sandbox-rail.ts';
import { lossyFetch } from '../support/lossy-fetch.ts';
import { aSandbox, sandboxSecret, sandboxUrl } from '../support/sandbox.ts';
import { describeRail } from './rail.ts';
import { type RailSubject, type TransferFate, transferFates } from './rail-subject.ts';

const outcomes: Readonly<Record<TransferFate, TransferOutcome>> = {
  paid: 'paid',
  paid_later: 'paid_later',
  refused: 'refused',
  refused_later: 'refused_later',
  account_empty: 'empty_account',
  account_empty_later: 'empty_later',
  rejected: 'rejected',
  forbidden: 'forbidden',
  busy: 'busy',
  fails_before: 'fails_before',
  fails_after: 'fails_after',
};

const phoneFor = (fate: TransferFate): string =>
  payoutValues.find(({ use, outcome }) => use === 'payout phone' && outcome === outcomes[fate])?.value ?? '';

async function subjectWith(manners: SandboxManners): Promise<RailSubject> {
  let clock = new Date('2030-06-15T12:00:00Z').getTime();
  const sandbox = await aSandbox({ manners, now: () => new Date(clock) });
  const { lossy, loseNext } = lossyFetch(sandbox.send);
  const { tombstones } = manners;

  return {
    rail: sandboxRail({ url: sandboxUrl, secret: sandboxSecret, fetch: lossy, tombstones }),
    now: () => new Date(clock),
    pass: (minutes) => void (clock += minutes * 60_000),
    meets: (transfer, fate) => ({
      ...transfer,
      destination: { type: 'sbp', phone: phoneFor(fate), bankId: 1 },
    }),
    loseNext,
    async change(reference, state) {
      const headers = { authorization: `Bearer ${sandboxSecret}` };
      const call = { method: 'POST', headers, body: JSON.stringify({ state }) };
      const { status } = await sandbox.send(`${sandboxUrl}/rail/transfers/${reference}/becomes`, call);
      if (status !== 200) throw new Error(`the sandbox answered ${status}`);
    },
    async paidOut(payoutId) {
      const lines = await movements(sandbox.table);
      return lines
        .filter(({ kind, subject }) => kind === 'paid_out' && subject === payoutId)
        .map(({ amountMinor }) => amountMinor);
    },
    stop: async () => {},
  };
}

const manners: Readonly<Record<string, SandboxManners>> = {
  'the kind rail': kindManners,
  'the rail without tombstones': { ...kindManners, tombstones: false },
  'the rail whose keys have a life': { ...kindManners, tombstones: false, keyLifeHours: 24 },
  'the rail that repeats its refusals': { ...kindManners, tombstones: false, repeatsRefusals: true },
  'the rail whose search lags': { ...kindManners, tombstones: false, searchLagSeconds: 600 },
  'the unkind rail': unkindManners,
};

for (const [name, how] of Object.entries(manners)) {
  const { tombstones, searchLagSeconds } = how;
  const promises = { isOwn: true, tombstones, searchLagSeconds, fates: transferFates, changes: true };
  describeRail(name, promises, () => subjectWith(how));
}
