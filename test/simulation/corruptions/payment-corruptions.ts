import { paymentList } from '../../../lib/store/payment-item.ts';
import { shardOf } from '../../../lib/store/shards.ts';
import type { Corruption } from './corruption.ts';

/** Corruptions of payments, their bills and what was posted about them. */
export const paymentCorruptions: readonly Corruption[] = [
  {
    name: 'a CAPTURE with no fee, and a balance to match',
    does(items) {
      items.lines('J#plain CAPTURE', { available: 10_000, fees: 0 });
      items.balance('tea', { available: 200 });
    },
    finds: ['captures_match_payments: entry plain CAPTURE', 'seals_match_journal: day tea RUB 2026-11-21'],
  },
  {
    name: 'a CAPTURE with no fee, its payment, postback and balance to match',
    does(items) {
      items.lines('J#plain CAPTURE', { available: 10_000, fees: 0 });
      items.payment('plain', { feeMinor: 0 });
      items.fields('E#pay.plain.SUCCESS E', { Commission: '0.00' });
      items.balance('tea', { available: 200 });
    },
    finds: [
      'captures_match_payments: entry plain CAPTURE',
      'payments_match_states: payment plain',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a CAPTURE credited to another merchant, with balances to match',
    does(items) {
      const timeline = items.text('L#salt#RUB#202611');
      items.change('J#plain CAPTURE', { merchantId: items.id('salt'), timeline });
      items.balance('tea', { available: -9_800 });
      items.balance('salt', { available: 9_800 });
    },
    finds: [
      'captures_match_payments: entry plain CAPTURE',
      'seals_match_journal: day salt RUB 2026-11-21',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a payment and its CAPTURE given to another merchant, with balances to match',
    does(items) {
      const timeline = items.text('L#salt#RUB#202611');
      items.payment('plain', { merchantId: items.id('salt') });
      items.change('J#plain CAPTURE', { merchantId: items.id('salt'), timeline });
      items.change('E#pay.plain.SUCCESS E', { merchantId: items.id('salt') });
      items.balance('tea', { available: -9_800 });
      items.balance('salt', { available: 9_800 });
    },
    finds: [
      'decisions_were_made: adjustment adjustment-credit',
      'payments_match_bills: payment plain',
      'seals_match_journal: day salt RUB 2026-11-21',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a payment with its bill, CAPTURE and postback given to another merchant, with balances to match',
    does(items) {
      const merchantId = items.id('salt');
      items.payment('without-url', { merchantId });
      items.change('B#bill-without-url B', { merchantId });
      items.change('J#without-url CAPTURE', { merchantId, timeline: items.text('L#salt#RUB#202611') });
      items.balance('tea', { available: -9_800 });
      items.balance('salt', { available: 9_800 });
    },
    finds: [
      'bills_match_shops: bill bill-without-url',
      'seals_match_journal: day salt RUB 2026-11-21',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a CAPTURE in another currency, with balances to match',
    does(items) {
      items.change('J#plain CAPTURE', ({ lines }) => ({
        lines: Array.isArray(lines) ? lines.map((line) => ({ ...line, currency: 'USD' })) : lines,
        timeline: items.text('L#tea#USD#202611'),
      }));
      items.balance('tea', { available: -9_800 });
      items.balance('tea', { available: 9_800 }, 'USD');
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox USD',
      'captures_match_payments: entry plain CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
      'seals_match_journal: day tea USD 2026-11-21',
    ],
  },
  {
    name: 'a CAPTURE of more than was received, with a balance to match',
    does(items) {
      items.lines('J#plain CAPTURE', { acquirer: -20_000, available: 19_800 });
      items.balance('tea', { available: 10_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'captures_match_payments: entry plain CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a payment that received more, with its CAPTURE and balance to match',
    does(items) {
      items.payment('without-url', { receivedMinor: 20_000, feeMinor: 400 });
      items.lines('J#without-url CAPTURE', { acquirer: -20_000, available: 19_600, fees: 400 });
      items.balance('tea', { available: 9_800 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'payments_match_states: payment without-url',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a CAPTURE at a better rate of exchange, with a balance to match',
    does(items) {
      items.lines('J#tenge CAPTURE', { available: 168_300 });
      items.change('J#tenge CAPTURE', ({ lines }) => ({
        lines: Array.isArray(lines)
          ? lines.map((line) =>
              line.account === 'exchange' && line.currency === 'RUB' ? { ...line, minor: -170_000 } : line,
            )
          : lines,
      }));
      items.balance('tea', { available: 85_000 });
    },
    finds: ['captures_match_payments: entry tenge CAPTURE', 'seals_match_journal: day tea RUB 2026-11-21'],
  },
  {
    name: 'two more lines in a CAPTURE, which cancel each other',
    does(items) {
      items.lines('J#plain CAPTURE', { correction: -100, exchange: 100 });
    },
    finds: ['captures_match_payments: entry plain CAPTURE', 'seals_match_journal: day tea RUB 2026-11-21'],
  },
  {
    name: 'a SUCCESS turned UNDERPAID, with its bill and postback',
    does(items) {
      items.payment('plain', { status: 'UNDERPAID' });
      items.change('B#bill-plain B', { status: 'UNDERPAID' });
      items.move('E#pay.plain.SUCCESS E', 'E#pay.plain.UNDERPAID E', {
        id: items.text('pay.plain.UNDERPAID'),
        status: 'UNDERPAID',
      });
      items.fields('E#pay.plain.UNDERPAID E', { Status: 'UNDERPAID' });
    },
    finds: ['payments_match_states: payment plain'],
  },
  {
    name: 'an UNDERPAID turned SUCCESS, with its bill and postback',
    does(items) {
      items.payment('under', { status: 'SUCCESS' });
      items.change('B#bill-under B', { status: 'SUCCESS' });
      items.move('E#pay.under.UNDERPAID E', 'E#pay.under.SUCCESS E', {
        id: items.text('pay.under.SUCCESS'),
        status: 'SUCCESS',
      });
      items.fields('E#pay.under.SUCCESS E', { Status: 'SUCCESS' });
    },
    finds: ['payments_match_states: payment under'],
  },
  {
    name: 'an UNDERPAID turned SUCCESS by a smaller bill and payment, with its postback',
    does(items) {
      items.payment('under', { status: 'SUCCESS', amountMinor: 9_000 });
      items.move('E#pay.under.UNDERPAID E', 'E#pay.under.SUCCESS E', {
        id: items.text('pay.under.SUCCESS'),
        status: 'SUCCESS',
      });
      items.fields('E#pay.under.SUCCESS E', { Status: 'SUCCESS' });
      items.change('B#bill-under B', { status: 'SUCCESS' });
    },
    finds: ['payments_match_bills: payment under'],
  },
  {
    name: 'a paid payment turned FAIL, with its bill, CAPTURE and balance',
    does(items) {
      items.payment('without-url', { status: 'FAIL' });
      items.change('B#bill-without-url B', { status: 'FAIL', paidBy: undefined, fenced: false });
      items.remove('J#without-url CAPTURE');
      items.balance('tea', { available: -9_800 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'captures_match_payments: payment without-url',
      'payments_match_states: payment without-url',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a FAIL turned SUCCESS, with its bill, CAPTURE and balance',
    does(items) {
      items.payment('declined', { status: 'SUCCESS', receivedMinor: 10_000, feeMinor: 200 });
      items.change('B#bill-declined B', {
        status: 'SUCCESS',
        paidBy: items.id('declined'),
        fenced: true,
      });
      const entry = items.get('J#plain CAPTURE');
      const { at } = items.get('E#pay.declined.FAIL E');
      items.put({
        ...entry,
        PK: items.text('J#declined'),
        about: items.id('declined'),
        at: at ?? entry['at'],
      });
      items.balance('tea', { available: 9_800 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'bills_match_payments: bill bill-declined',
      'events_match_states: event pay.declined.FAIL',
      'events_match_states: payment declined',
      'payments_match_states: payment declined',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: "a payment's amount changed",
    does: (items) => void items.payment('plain', { amountMinor: 10_001 }),
    finds: ['payments_match_bills: payment plain', 'payments_match_states: payment plain'],
  },
  {
    name: "a payment's merchant changed",
    does: (items) => void items.payment('plain', { merchantId: items.id('salt') }),
    finds: [
      'captures_match_payments: entry plain CAPTURE',
      'decisions_were_made: adjustment adjustment-credit',
      'events_match_states: event pay.plain.SUCCESS',
      'payments_match_bills: payment plain',
    ],
  },
  {
    name: "a payment's shop changed",
    does: (items) => void items.payment('plain', { shopId: items.id('tea-shop-2') }),
    finds: ['events_match_states: event pay.plain.SUCCESS', 'payments_match_bills: payment plain'],
  },
  {
    name: "a payment's currency changed",
    does: (items) => void items.payment('plain', { currency: 'USD' }),
    finds: [
      'captures_match_payments: entry plain CAPTURE',
      'events_match_states: event pay.plain.SUCCESS',
      'payments_match_bills: payment plain',
      'payments_match_states: payment plain',
    ],
  },
  {
    name: "a payment's order_id changed, which its postback names",
    does: (items) => void items.payment('plain', { orderId: 'order-7' }),
    finds: ['events_match_states: event pay.plain.SUCCESS', 'payments_match_bills: payment plain'],
  },
  {
    name: "an open payment's amount raised",
    does: (items) => void items.payment('open', { amountMinor: 10_000_00 }),
    finds: ['payments_match_bills: payment open'],
  },
  {
    name: 'an open payment that settles to another currency',
    does: (items) =>
      void items.payment('open', { settlement: { currency: 'USD', numerator: 1, denominator: 1 } }),
    finds: ['payments_match_states: payment open'],
  },
  {
    name: 'a fee stored with a payment that is not the one posted',
    does: (items) => void items.payment('plain', { feeMinor: 1 }),
    finds: ['events_match_states: event pay.plain.SUCCESS', 'payments_match_states: payment plain'],
  },
  {
    name: 'a surcharge above what the terms of the payment say',
    does: (items) => void items.payment('surcharged', { surchargeMinor: 500 }),
    finds: [
      'captures_match_payments: entry surcharged CAPTURE',
      'events_match_states: event pay.surcharged.SUCCESS',
      'payments_match_states: payment surcharged',
    ],
  },
  {
    name: 'a payment without its bill',
    does: (items) => void items.remove('B#bill-plain B'),
    finds: [
      'payments_match_bills: payment plain',
      'references_match: bill_reference newest tea tea-shop-1 order-1',
    ],
  },
  {
    name: 'a CAPTURE removed, with its balance',
    does(items) {
      items.remove('J#plain CAPTURE');
      items.balance('tea', { available: -9_800 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'captures_match_payments: payment plain',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a payment removed, whose CAPTURE stays',
    does(items) {
      items.remove('B#bill-multi P#multi-1');
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer unknown RUB',
      'captures_match_payments: entry multi-1 CAPTURE',
      'events_match_states: event pay.multi-1.SUCCESS',
    ],
  },
  {
    name: 'a second payment of a NORMAL bill, with CAPTURE, postback and balance',
    does(items) {
      const id = `${items.id('bill-without-url')}00Another1`;
      const payment = items.get('B#bill-without-url P#without-url');
      items.put({ ...payment, SK: `P#${id}`, id });
      items.put({ ...items.get('J#without-url CAPTURE'), PK: `J#${id}`, about: id });
      items.balance('tea', { available: 9_800 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'bills_match_payments: bill bill-without-url',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a declined payment that received money',
    does: (items) => void items.payment('declined', { receivedMinor: 10_000 }),
    finds: ['captures_match_payments: payment declined'],
  },
  {
    name: 'a refund that is open taken for done',
    does: (items) =>
      void items.payment('refunding', {
        phase: 'DONE',
        workList: undefined,
        workDue: undefined,
        nextCheck: undefined,
      }),
    finds: ['captures_match_payments: payment refunding'],
  },
  {
    name: 'a REFUND about a paid payment',
    does: (items) =>
      items.put({
        ...items.get('J#duplicate REFUND'),
        PK: items.text('J#plain'),
        about: items.id('plain'),
      }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'captures_match_payments: entry plain REFUND',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a DUPLICATE_CAPTURE about nothing',
    does(items) {
      const id = `${items.id('bill-plain')}00Nothing1`;
      items.put({ ...items.get('J#duplicate DUPLICATE_CAPTURE'), PK: `J#${id}`, about: id });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer unknown RUB',
      'captures_match_payments: entry bill-plain00Nothing1 DUPLICATE_CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a REFUND removed',
    does: (items) => void items.remove('J#duplicate REFUND'),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'captures_match_payments: payment duplicate',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a duplicate capture and its refund of less than was received',
    does(items) {
      items.lines('J#duplicate DUPLICATE_CAPTURE', { acquirer: -9_000, refunds_due: 9_000 });
      items.lines('J#duplicate REFUND', { acquirer: 9_000, refunds_due: -9_000 });
    },
    finds: [
      'captures_match_payments: entry duplicate DUPLICATE_CAPTURE',
      'captures_match_payments: entry duplicate REFUND',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: "a provider's fee that was lowered in its entry",
    does: (items) => void items.lines('J#with-fee PROVIDER_FEE', { provider_fees: -10, acquirer: 10 }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'provider_fees_match_payments: entry with-fee PROVIDER_FEE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: "a provider's fee about a payment that has none",
    does: (items) =>
      items.put({
        ...items.get('J#with-fee PROVIDER_FEE'),
        PK: items.text('J#plain'),
        about: items.id('plain'),
      }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'provider_fees_match_payments: entry plain PROVIDER_FEE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a reserve released before its time, with entry and balance',
    does(items) {
      items.payment('reserved', (item) => ({
        reserve: { ...Object(item['reserve']), released: true },
        workList: undefined,
        workDue: undefined,
        nextCheck: undefined,
      }));
      items.put({
        ...items.get('J#released RESERVE_RELEASE'),
        PK: items.text('J#reserved'),
        about: items.id('reserved'),
        at: '2026-11-23T08:00:00.000Z',
      });
      items.balance('tea', { available: 4_900, reserved: -4_900 });
    },
    finds: ['reserve_matches_payments: entry reserved RESERVE_RELEASE'],
  },
  {
    name: 'a reserve released twice, with a balance to match',
    does(items) {
      items.lines('J#released RESERVE_RELEASE', { reserved: -9_800, available: 9_800 });
      items.balance('tea', { available: 4_900, reserved: -4_900 });
    },
    finds: [
      'reserve_matches_payments: entry released RESERVE_RELEASE',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a reserve made available at once, with its CAPTURE and balance to match',
    does(items) {
      items.payment('reserved', {
        reserve: undefined,
        workList: undefined,
        workDue: undefined,
        nextCheck: undefined,
      });
      items.lines('J#reserved CAPTURE', { available: 9_800, reserved: 0 });
      items.balance('tea', { available: 4_900, reserved: -4_900 });
    },
    finds: [
      'captures_match_payments: entry reserved CAPTURE',
      'reserve_matches_payments: payment reserved',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'the time of release of a reserve brought forward',
    does: (items) =>
      void items.payment('reserved', (item) => ({
        reserve: { ...Object(item['reserve']), releaseAt: '2026-11-23T00:00:00.000Z' },
        workDue: '2026-11-23T00:00:00.000Z',
        nextCheck: '2026-11-23T00:00:00.000Z',
      })),
    finds: ['reserve_matches_payments: payment reserved'],
  },
  {
    name: 'a released reserve that is still to be released',
    does: (items) =>
      void items.payment('released', (item) => ({
        reserve: { ...Object(item['reserve']), released: false },
      })),
    finds: [
      'reserve_matches_payments: entry released RESERVE_RELEASE',
      'work_lists_complete: payment released',
    ],
  },
  {
    name: 'a bill FAIL though paid',
    does: (items) =>
      void items.change('B#bill-plain B', { status: 'FAIL', paidBy: undefined, fenced: false }),
    finds: ['bills_match_payments: bill bill-plain'],
  },
  {
    name: 'an unpaid bill SUCCESS',
    does: (items) => void items.change('B#bill-unpaid B', { status: 'SUCCESS' }),
    finds: ['bills_match_payments: bill bill-unpaid'],
  },
  {
    name: 'an unpaid bill SUCCESS, paid by the payment of another',
    does: (items) =>
      void items.change('B#bill-unpaid B', {
        status: 'SUCCESS',
        fenced: true,
        paidBy: items.id('plain'),
        current: items.id('plain'),
      }),
    finds: ['bills_match_payments: bill bill-unpaid'],
  },
  {
    name: 'an unpaid MULTI bill SUCCESS',
    does: (items) => void items.change('B#bill-unpaid-multi B', { status: 'SUCCESS' }),
    finds: ['bills_match_payments: bill bill-unpaid-multi'],
  },
  {
    name: 'a paid MULTI bill NEW',
    does: (items) => void items.change('B#bill-multi B', { status: 'NEW' }),
    finds: ['bills_match_payments: payment multi-1', 'bills_match_payments: payment multi-2'],
  },
  {
    name: 'a fenced bill whose payment is done',
    does: (items) => void items.change('B#bill-declined B', { status: 'PROCESS', fenced: true }),
    finds: ['bills_match_payments: bill bill-declined'],
  },
  {
    name: 'a bill in PROCESS whose payment is done',
    does: (items) =>
      void items.change('B#bill-declined B', { status: 'PROCESS', lockUntil: '2026-11-24T00:00:00.000Z' }),
    finds: ['bills_match_payments: bill bill-declined'],
  },
  {
    name: 'a bill that its open payment does not hold any more',
    does: (items) =>
      void items.change('B#bill-open B', { status: 'NEW', current: undefined, lockUntil: undefined }),
    finds: ['bills_match_payments: bill bill-open'],
  },
  {
    name: 'a bill that is paid by its declined payment',
    does: (items) =>
      void items.change('B#bill-retried B', {
        paidBy: items.id('first-try'),
        current: items.id('first-try'),
      }),
    finds: ['bills_match_payments: bill bill-retried', 'events_match_states: event pay.first-try.FAIL'],
  },
  {
    name: 'a paid bill that can be paid again',
    does: (items) =>
      void items.change('B#bill-plain B', { paidBy: undefined, current: undefined, fenced: false }),
    finds: ['bills_match_payments: bill bill-plain'],
  },
  {
    name: "a bill's amount changed",
    does: (items) => void items.change('B#bill-plain B', { amountMinor: 100_000 }),
    finds: ['payments_match_bills: payment plain'],
  },
  {
    name: "a bill's merchant changed",
    does: (items) => void items.change('B#bill-plain B', { merchantId: items.id('salt') }),
    finds: [
      'bills_match_shops: bill bill-plain',
      'payments_match_bills: payment plain',
      'references_match: bill_reference newest tea tea-shop-1 order-1',
    ],
  },
  {
    name: 'an unpaid bill given to another merchant',
    does: (items) => void items.change('B#bill-unpaid B', { merchantId: items.id('salt') }),
    finds: [
      'bills_match_shops: bill bill-unpaid',
      'references_match: bill_reference key tea vil0VGl443OebW2oXEvp8zTOMt8rn9S2_xtVwNV-nUQ',
      'references_match: bill_reference newest tea tea-shop-1 order-2',
    ],
  },
  {
    name: 'an unpaid bill given to a shop of another merchant',
    does: (items) => void items.change('B#bill-unpaid B', { shopId: items.id('salt-shop-1') }),
    finds: [
      'bills_match_shops: bill bill-unpaid',
      'references_match: bill_reference newest tea tea-shop-1 order-2',
    ],
  },
  {
    name: 'a bill of which the payer pays the fee no longer',
    does: (items) => void items.change('B#bill-surcharged B', { payerPaysCommission: false }),
    finds: ['payments_match_bills: payment surcharged'],
  },
  {
    name: 'a NORMAL bill turned MULTI, so that it can be paid again',
    does: (items) => void items.change('B#bill-plain B', { type: 'MULTI' }),
    finds: ['payments_match_bills: payment plain'],
  },
  {
    name: 'the failures of a bill set back, so that cards can be tried on',
    does: (items) => void items.change('B#bill-declined B', { failures: 0 }),
    finds: ['bills_match_payments: bill bill-declined'],
  },
  {
    name: 'a paid payment that is to be captured again',
    does: (items) =>
      void items.payment('plain', {
        phase: 'CAPTURING',
        workList: paymentList(shardOf(items.id('plain'))),
        workDue: '2026-11-23T00:00:00.000Z',
        nextCheck: '2026-11-23T00:00:00.000Z',
      }),
    finds: ['payments_match_states: payment plain'],
  },
  {
    name: 'a payment that names another bill',
    does: (items) => void items.payment('open', { billId: items.id('bill-unpaid') }),
    finds: ['payments_match_bills: payment open', 'payments_match_states: payment open'],
  },
  {
    name: 'a surcharge of an open payment that no terms ask for',
    does: (items) => void items.payment('open', { surchargeMinor: 500 }),
    finds: ['payments_match_states: payment open'],
  },
  {
    name: 'a provider that pays for a capture',
    does(items) {
      items.payment('with-fee', { providerFeeMinor: -350 });
      items.lines('J#with-fee PROVIDER_FEE', { provider_fees: 350, acquirer: -350 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'provider_fees_match_payments: payment with-fee',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: "a payment's custom changed, which its postback carries",
    does: (items) => void items.payment('plain', { custom: 'another text' }),
    finds: ['events_match_states: event pay.plain.SUCCESS', 'payments_match_bills: payment plain'],
  },
  {
    name: 'a payment that is older than its bill',
    does: (items) => void items.payment('declined', { createdAt: '2026-11-20T00:00:00.000Z' }),
    finds: ['payments_match_bills: payment declined'],
  },
  {
    name: 'a bill fenced before its capture, so that nobody else can pay it',
    does: (items) => void items.change('B#bill-open B', { fenced: true }),
    finds: ['bills_match_payments: bill bill-open'],
  },
  {
    name: 'a bill that another payer can take over during its capture',
    does: (items) => void items.change('B#bill-capturing B', { fenced: false }),
    finds: ['bills_match_payments: bill bill-capturing'],
  },
  {
    name: 'a bill locked for a year',
    does: (items) => void items.change('B#bill-open B', { lockUntil: '2027-11-23T00:00:00.000Z' }),
    finds: ['bills_match_payments: bill bill-open'],
  },
  {
    name: 'a bill that nobody can pay, because of failures that never were',
    does: (items) => void items.change('B#bill-unpaid B', { failures: 10 }),
    finds: ['bills_match_payments: bill bill-unpaid'],
  },
  {
    name: 'a MULTI bill FAIL',
    does: (items) => void items.change('B#bill-unpaid-multi B', { status: 'FAIL' }),
    finds: ['bills_match_payments: bill bill-unpaid-multi'],
  },
  {
    name: 'a displaced payment that is captured',
    does: (items) =>
      void items.payment('displaced', {
        status: 'PROCESS',
        phase: 'CAPTURING',
        workList: paymentList(shardOf(items.id('displaced'))),
        workDue: '2026-11-23T00:00:00.000Z',
        nextCheck: '2026-11-23T00:00:00.000Z',
      }),
    finds: ['bills_match_payments: bill bill-displaced', 'events_match_states: event pay.displaced.FAIL'],
  },
  {
    name: 'a payment that will be deleted',
    does: (items) => void items.payment('plain', { ttl: 1_800_000_000 }),
    finds: ['keys_match_content: payment plain'],
  },
  {
    name: 'a capture by hand that nobody decided',
    does: (items) =>
      void items.payment('plain', {
        decisions: [
          {
            verdict: 'captured',
            id: 'Decision00000003',
            by: 'olga',
            approvedBy: 'petr',
            reason: 'statement',
            at: '2026-11-21T10:00:00.000Z',
          },
        ],
      }),
    finds: ['decisions_were_made: payment plain'],
  },
];
