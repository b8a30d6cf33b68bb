import type { ProblemKey, ProviderReport } from '../provider-account/check-provider.ts';
import { plainLine } from '../plain-line.ts';
import { keyValues } from './output.ts';

const accountOf = { payments: 'shop', payouts: 'payout gateway' } as const;

/** What a problem means and what to do. */
const remedies: Readonly<
  Record<
    ProblemKey,
    (at: { readonly account: string; readonly about: string; readonly name: string }) => string
  >
> = {
  account_not_set: ({ account, name }) =>
    `The keys of the ${account} are not set: provider set ${name}${account === 'shop' ? '' : ' --payouts'}.`,
  account_refused: ({ account, about }) =>
    `The provider refuses the keys of the ${account} (${about}): issue a new key in the cabinet, then provider set.`,
  account_no_answer: ({ account }) =>
    `The provider did not answer about the ${account}: run the check again.`,
  account_disabled: ({ account }) => `The ${account} is switched off: ask the provider.`,
  account_for_tests: ({ account }) =>
    `The ${account} is for tests, and this environment takes real money: provider set with the real keys.`,
  method_missing: ({ account, about }) =>
    `The record has limits for ${about}, which the ${account} does not serve: ask the provider for it, or take it out of the record.`,
  receipts_missing: () =>
    'The record sends receipts, and the shop does not take them: switch them on in the cabinet, or take receipts out of the record.',
  receipts_unexpected: () =>
    'The shop takes receipts and refuses payments without: set receipts in the record, or switch them off in the cabinet.',
  balance_low: ({ about }) => `The payout account has ${about}, less than payoutBalanceAlarm: top it up.`,
  address_closed: ({ about }) =>
    about === ''
      ? 'The notification address did not answer: check the domain and its certificate.'
      : `The notification address answered ${about} in place of 200: check the domain, then the log of provider-notification.`,
};

export function reportText(
  name: string,
  environment: string,
  { accounts, notifications, problems }: ProviderReport,
): string {
  const parts = accounts.map((each) =>
    keyValues({
      [accountOf[each.role]]: each.id,
      keys: each.state === 'known' ? 'accepted' : states[each.state],
      ...(each.state === 'known' && {
        money: each.live === null ? null : each.live ? 'real' : 'test account',
        enabled: each.enabled,
        methods: each.methods?.join(', '),
        ...(each.receipts && {
          receipts: onOff(each.receipts.account),
          'receipts in the record': onOff(each.receipts.record),
        }),
        ...(each.role === 'payouts' && {
          balance: each.balances.map(({ currency, amount }) => `${amount} ${currency}`).join(', '),
        }),
      }),
    }),
  );
  const address = keyValues({
    'notification address': notifications.status === null ? 'no answer' : `answered ${notifications.status}`,
  });
  const told = problems.map(
    ({ key, role, about }) =>
      `- ${remedies[key]({ account: role ? accountOf[role] : '', about: plainLine(about ?? ''), name })}`,
  );
  const end =
    told.length === 0
      ? `${name} in ${environment} is as its record says.`
      : `${name} in ${environment} needs this:\n${told.join('\n')}`;
  return [...parts, address, end].join('\n\n');
}

const states = { not_set: 'not set', refused: 'refused', no_answer: 'no answer' } as const;
const onOff = (value: boolean | null) => (value === null ? null : value ? 'on' : 'off');
