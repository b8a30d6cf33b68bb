import { sandboxMethods, sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { kindManners, type SandboxManners, unkindManners } from '../../lib/sandbox/manners.ts';
import { lossyFetch } from '../support/lossy-fetch.ts';
import { aCard, aSandbox, sandboxSecret, sandboxUrl } from '../support/sandbox.ts';
import { describeAcquirer } from './acquirer.ts';
import {
  type AcquirerSubject,
  type Change,
  type Notification,
  type PayersAct,
  payersActs,
  type Promises,
} from './acquirer-subject.ts';

const cards: Readonly<Record<Exclude<PayersAct, 'gives_up'>, string>> = {
  pays: '4111111111111111',
  pays_part: '4000000000110009',
  is_declined: '4000000000009995',
  pays_refund_pending: '4000000000110215',
  pays_refund_rejected: '4000000000110223',
  pays_account_empty: '4000000000110231',
};

const promisesOf = (manners: SandboxManners): Promises => ({
  isOwn: true,
  methods: sandboxMethods(manners),
  listLagSeconds: manners.listLagSeconds,
  acts: {
    card: payersActs,
    sbp: ['pays', 'gives_up'],
  },
  changes: ['taken_back', 'capture_changed', 'captured_late'],
  notifies: manners.notices !== 'lost',
  feeAfterMinutes: manners.feeAfterMinutes,
  refundsAt: 'end',
});

const verbs: Readonly<Record<Change, string>> = {
  taken_back: 'charge_back',
  capture_changed: 'capture_other',
  captured_late: 'capture_late',
};

async function subjectWith(manners: SandboxManners): Promise<AcquirerSubject> {
  let clock = new Date('2030-06-15T12:00:00Z').getTime();
  const notified: Notification[] = [];
  const sandbox = await aSandbox({
    manners,
    now: () => new Date(clock),
    fetch: async (_url, init) => {
      const { headers, body } = { headers: new Headers(init?.headers), body: init?.body };
      notified.push({ headers: Object.fromEntries(headers), body: typeof body === 'string' ? body : '' });
      return new Response();
    },
  });
  const { lossy, loseNext } = lossyFetch(sandbox.send);
  const authorization = `Bearer ${sandboxSecret}`;

  return {
    acquirer: sandboxAcquirer({ url: sandboxUrl, secret: sandboxSecret, fetch: lossy, manners }),
    now: () => new Date(clock),
    pass: (minutes) => void (clock += minutes * 60_000),
    async act({ pageUrl = '', method }, act) {
      const form = method === 'card' && act !== 'gives_up' ? { ...aCard, number: cards[act] } : {};
      await sandbox.pay(pageUrl, { ...form, do: act === 'gives_up' ? 'abandon' : 'pay' });
    },
    loseNext,
    async change(reference, change, amountMinor) {
      const body = JSON.stringify({ do: verbs[change], amountMinor: Number(amountMinor) });
      const call = { method: 'POST', headers: { authorization }, body };
      const { status } = await sandbox.send(`${sandboxUrl}/control/orders/${reference}`, call);
      if (status !== 200) throw new Error(`the sandbox answered ${status}`);
    },
    async books(paymentId) {
      const { orders } = (await sandbox.books()).acquirer;
      const { captured = 0, refunded = 0 } = orders.find((order) => order.paymentId === paymentId) ?? {};
      return {
        orders: await sandbox.ordersOf(paymentId),
        capturedMinor: BigInt(captured),
        refundedMinor: BigInt(refunded),
        // Its rounding, half up to a minor unit.
        feeMinor: BigInt(Math.round((captured * manners.feeBasisPoints) / 10_000)),
      };
    },
    notifications: () => notified,
    stop: async () => {},
  };
}

const manners: Readonly<Record<string, SandboxManners>> = {
  'the kind sandbox': kindManners,
  'the sandbox in one step': { ...kindManners, steps: 'one' },
  'the sandbox that cannot end open orders': { ...kindManners, endsOpenOrders: false },
  'the sandbox whose keys have a life and whose refusals stay': {
    ...kindManners,
    keyLifeHours: 24,
    repeatsRefusals: true,
  },
  'the sandbox whose list and fees lag': {
    ...kindManners,
    listLagSeconds: 600,
    feeBasisPoints: 275,
    feeAfterMinutes: 60,
  },
  'the sandbox that notifies twice': { ...kindManners, notices: 'doubled' },
  'the sandbox that notifies early': { ...kindManners, notices: 'early' },
  'the sandbox that does not notify': { ...kindManners, notices: 'lost' },
  'the sandbox with forged notices, where nothing is final': { ...unkindManners },
  'the unkind sandbox in one step': { ...unkindManners, steps: 'one', notices: 'doubled' },
};

for (const [name, how] of Object.entries(manners)) {
  describeAcquirer(name, promisesOf(how), () => subjectWith(how));
}
