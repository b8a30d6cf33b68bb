import type { Mutant } from './mutant.ts';

const cancel = 'lib/payout/cancel-payout.ts';
const quote = 'lib/payout/quote-payout.ts';

/** The guards of cancels and quotes of payouts (lib/payout/README.md). */
export const cancelMutants: readonly Mutant[] = [
  {
    name: 'cancel-of-sent',
    guard: 'a payout that may be at the rail is not cancelled',
    patches: [
      {
        file: cancel,
        find: "mayBecome(payout, 'DECLINED') && !mayBeAtRail(payout);",
        put: "mayBecome(payout, 'DECLINED') && (!mayBeAtRail(payout) || payout.revision > 0);",
      },
      {
        file: 'lib/payout/moves.ts',
        find: "withoutState(status === 'DECLINED' ? notAtRail(payout) : payout);",
        put: 'withoutState(payout);',
      },
    ],
    by: { scenario: 'a payout that may be sent is not cancelled' },
  },
  {
    name: 'cancel-in-part',
    guard: 'an order is cancelled whole or not at all',
    patches: [
      {
        file: cancel,
        find: "if (neverSent.length < open.length) return fail('transaction_rejected');",
        put: "if (neverSent.length === 0 && open.length > 0) return fail('transaction_rejected');",
      },
    ],
    by: { scenario: 'an order is cancelled whole or not at all' },
  },
  {
    name: 'cancel-limits-of-one-part',
    guard: 'parts that are cancelled together restore their limits together',
    patches: [
      {
        file: 'lib/store/payout-balance.ts',
        find: 'const amountMinor = totalOf(payouts, ({ amount }) => amount.minor);',
        put: 'const amountMinor = payouts[0].amount.minor;',
      },
    ],
    by: { scenario: 'a cancelled order restores its limits' },
  },
  {
    name: 'cancel-of-another',
    guard: "another merchant's payout is not found",
    patches: [
      {
        file: 'lib/payout/get-payout.ts',
        find: 'found.filter(({ merchantId }) => merchantId === caller.merchantId);',
        put: 'found.filter(({ merchantId }) => merchantId !== undefined);',
      },
    ],
    by: { scenario: 'a payout is not cancelled by another merchant' },
  },
  {
    name: 'cancel-phone-unlike-mask',
    guard: 'the phone of a cancelled payout is sent only if it fits the mask',
    patches: [
      {
        file: 'lib/postback/sealed-phone.ts',
        find: "data && isMaskOf(fields['AccountNumber'] ?? '', data.phone) ? data.phone : undefined;",
        put: "data && (isMaskOf(fields['AccountNumber'] ?? '', data.phone) || true) ? data.phone : undefined;",
      },
    ],
    by: { scenario: 'the phone of a cancelled payout fits its mask' },
  },
  {
    name: 'quote-without-approval',
    guard: 'a quote says that a person must approve the payout',
    patches: [
      {
        file: quote,
        find: 'if (!isWaiting) return undefined;',
        put: 'if (!isWaiting || isDuplicate) return undefined;',
      },
    ],
    by: { scenario: 'a quote says that a person must approve' },
  },
  {
    name: 'quote-without-access',
    guard: 'a quote is refused where the creation is',
    patches: [
      {
        file: quote,
        find: "if (command.kind === 'regular' && !command.caller.regularPayouts) return fail('unauthorized_action');",
        put: '',
      },
    ],
    by: { scenario: 'a quote without access is refused' },
  },
];
