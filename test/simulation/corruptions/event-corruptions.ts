import { sendingListOf } from '../../../lib/store/event-item.ts';
import type { Corruption } from './corruption.ts';

/** Corruptions of postbacks. */
export const eventCorruptions: readonly Corruption[] = [
  {
    name: 'a postback that was never written',
    does: (items) => void items.remove('E#pay.pending.SUCCESS E'),
    finds: ['events_match_states: payment pending'],
  },
  {
    name: 'a delivered postback removed before its time',
    does: (items) => void items.remove('E#pay.plain.SUCCESS E'),
    finds: ['events_match_states: payment plain'],
  },
  {
    name: "a postback's Status changed",
    does: (items) => void items.fields('E#pay.pending.SUCCESS E', { Status: 'FAIL' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: "a postback's OutSum changed",
    does: (items) => void items.fields('E#pay.pending.SUCCESS E', { OutSum: '1000.00' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: "a postback's Commission changed",
    does: (items) => void items.fields('E#pay.pending.SUCCESS E', { Commission: '0.00' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: "a postback's InvId changed, so that another order is taken for paid",
    does: (items) => void items.fields('E#pay.pending.SUCCESS E', { InvId: 'order-2' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: "a postback's TrsId changed",
    does: (items) => void items.fields('E#pay.pending.SUCCESS E', { TrsId: items.id('today') }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: "a postback's CurrencyIn changed",
    does: (items) => void items.fields('E#pay.pending.SUCCESS E', { CurrencyIn: 'USD' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: "a postback's custom changed",
    does: (items) => void items.fields('E#pay.plain.SUCCESS E', { custom: 'another text' }),
    finds: ['events_match_states: event pay.plain.SUCCESS'],
  },
  {
    name: 'a field of a postback removed',
    does: (items) =>
      void items.change('E#pay.pending.SUCCESS E', ({ fields }) => ({
        fields: Array.isArray(fields) ? fields.filter(([name]) => name !== 'Commission') : fields,
      })),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'an extended postback tells another credited amount',
    does: (items) => void items.fields('E#pay.extended.SUCCESS E', { BalanceAmount: '1.00' }, 'extended'),
    finds: ['events_match_states: event pay.extended.SUCCESS'],
  },
  {
    name: 'an extended postback tells an error that is not of the list',
    does: (items) =>
      void items.fields('E#pay.extended-declined.FAIL E', { ErrorCode: 'lost_card' }, 'extended'),
    finds: ['events_match_states: event pay.extended-declined.FAIL'],
  },
  {
    name: "a postback's shop changed, so that another server receives it",
    does: (items) => void items.change('E#pay.pending.SUCCESS E', { shopId: items.id('salt-shop-1') }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: "a postback's merchant changed",
    does: (items) => void items.change('E#pay.pending.SUCCESS E', { merchantId: items.id('salt') }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'the status in a postback differs from that in its fields and id',
    does: (items) => void items.change('E#pay.pending.SUCCESS E', { status: 'FAIL' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'a postback about a payment in progress: goods for nothing',
    does(items) {
      items.put({
        ...items.get('E#pay.pending.SUCCESS E'),
        PK: items.text('E#pay.open.SUCCESS'),
        id: items.text('pay.open.SUCCESS'),
        workList: sendingListOf(items.text('pay.open.SUCCESS')),
      });
      items.fields('E#pay.open.SUCCESS E', { TrsId: items.id('open') });
    },
    finds: ['events_match_states: event pay.open.SUCCESS'],
  },
  {
    name: 'a postback about a payment that does not exist',
    does(items) {
      const id = `pay.${items.id('bill-unpaid')}00Nothing1.SUCCESS`;
      items.put({ ...items.get('E#pay.pending.SUCCESS E'), PK: `E#${id}`, id, workList: sendingListOf(id) });
    },
    finds: ['events_match_states: event pay.bill-unpaid00Nothing1.SUCCESS'],
  },
  {
    name: 'a second postback of a paid payment, which says FAIL',
    does(items) {
      items.put({
        ...items.get('E#pay.plain.SUCCESS E'),
        PK: items.text('E#pay.plain.FAIL'),
        id: items.text('pay.plain.FAIL'),
        status: 'FAIL',
      });
      items.fields('E#pay.plain.FAIL E', { Status: 'FAIL' });
    },
    finds: ['events_match_states: event pay.plain.FAIL'],
  },
  {
    name: 'a postback SUPERSEDED although it says SUCCESS',
    does: (items) =>
      void items.change('E#pay.pending.SUCCESS E', {
        state: 'SUPERSEDED',
        workList: undefined,
        workDue: undefined,
      }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'a postback SUPERSEDED although its bill is not paid',
    does: (items) => void items.change('E#pay.declined.FAIL E', { state: 'SUPERSEDED' }),
    finds: ['events_match_states: event pay.declined.FAIL'],
  },
  {
    name: 'a postback that another bill supersedes',
    does: (items) =>
      void items.change('E#pay.first-try.FAIL E', { supersededByBill: items.id('bill-plain') }),
    finds: ['events_match_states: event pay.first-try.FAIL'],
  },
  {
    name: 'a postback that was never sent taken for delivered',
    does: (items) =>
      void items.change('E#pay.pending.SUCCESS E', {
        state: 'DELIVERED',
        workList: undefined,
        workDue: undefined,
      }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'a postback to be retried on the list of those that are given up',
    does: (items) => {
      const workList = String(items.get('E#pay.retrying.SUCCESS E')['workList']).replace('W#PB', 'W#PBX');
      items.change('E#pay.retrying.SUCCESS E', { workList });
    },
    finds: ['work_lists_complete: event pay.retrying.SUCCESS'],
  },
  {
    name: 'a postback on a list of another shard, where it delays nothing',
    does: (items) => {
      const { workList } = items.get('E#pay.retrying.SUCCESS E');
      items.change('E#pay.retrying.SUCCESS E', { workList: workList === 'W#PB#00' ? 'W#PB#01' : 'W#PB#00' });
    },
    finds: ['work_lists_complete: event pay.retrying.SUCCESS'],
  },
  {
    name: 'a postback on no list',
    does: (items) =>
      void items.change('E#pay.retrying.SUCCESS E', { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: event pay.retrying.SUCCESS'],
  },
  {
    name: 'a postback that is due in a hundred years',
    does: (items) => void items.change('E#pay.retrying.SUCCESS E', { workDue: '2126-11-23T00:00:00.000Z' }),
    finds: ['work_lists_complete: event pay.retrying.SUCCESS'],
  },
  {
    name: 'a delivered postback on the list, which is sent again',
    does: (items) =>
      void items.change('E#pay.plain.SUCCESS E', {
        workList: 'W#PB#00',
        workDue: '2026-11-23T00:00:00.000Z',
      }),
    finds: ['work_lists_complete: event pay.plain.SUCCESS'],
  },
  {
    name: "the Amount of a payout's postback changed",
    does: (items) => void items.fields('E#po.paid-out.SUCCESS E', { Amount: '1.00' }),
    finds: ['events_match_states: event po.paid-out.SUCCESS'],
  },
  {
    name: "the AccountNumber of a payout's postback changed",
    does: (items) => void items.fields('E#po.paid-out.SUCCESS E', { AccountNumber: '400000******0002' }),
    finds: ['events_match_states: event po.paid-out.SUCCESS'],
  },
  {
    name: 'a phone in the clear in a postback that has it sealed',
    does: (items) => void items.fields('E#po.to-phone.SUCCESS E', { AccountNumber: '79000000001' }),
    finds: ['events_match_states: event po.to-phone.SUCCESS'],
  },
  {
    name: 'the sealed phone of a postback removed',
    does: (items) => void items.change('E#po.to-phone.SUCCESS E', { sealedPhone: undefined }),
    finds: [],
  },
  {
    name: "a payout's postback that was never written",
    does: (items) => void items.remove('E#po.paid-out.SUCCESS E'),
    finds: ['events_match_states: payout paid-out'],
  },
  {
    name: 'a postback SUCCESS of a payout that failed',
    does(items) {
      items.move('E#po.refused.FAIL E', 'E#po.refused.SUCCESS E', {
        id: items.text('po.refused.SUCCESS'),
        status: 'SUCCESS',
      });
      items.fields('E#po.refused.SUCCESS E', { Status: 'SUCCESS' });
    },
    finds: ['events_match_states: event po.refused.SUCCESS', 'events_match_states: payout refused'],
  },
  {
    name: 'a postback of a payout that is under way',
    does(items) {
      items.put({
        ...items.get('E#po.paid-out.SUCCESS E'),
        PK: items.text('E#po.sent.SUCCESS'),
        id: items.text('po.sent.SUCCESS'),
      });
      items.fields('E#po.sent.SUCCESS E', { TrsId: items.id('sent'), Amount: '51.00' });
    },
    finds: ['events_match_states: event po.sent.SUCCESS'],
  },
  {
    name: 'a postback dated to another day',
    does: (items) => void items.change('E#pay.pending.SUCCESS E', { createdAt: '2026-11-22T00:00:00.000Z' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'a postback with a phone that its payment does not have',
    does: (items) => void items.change('E#pay.pending.SUCCESS E', { sealedPhone: 'sealed' }),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'a postback that is not sent any more, and will be deleted before it was',
    does: (items) => void items.change('E#pay.pending.SUCCESS E', { ttl: 1_800_000_000 }),
    finds: ['keys_match_content: event pay.pending.SUCCESS'],
  },
  {
    name: 'a postback to be sent in a hundred years',
    does: (items) =>
      void items.change('E#pay.retrying.SUCCESS E', {
        nextAt: '2126-11-23T00:00:00.000Z',
        workDue: '2126-11-23T00:00:00.000Z',
      }),
    finds: ['work_lists_complete: event pay.retrying.SUCCESS'],
  },
];
