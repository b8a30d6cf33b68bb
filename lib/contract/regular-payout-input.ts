import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { parseCardNumber, parseHolder } from '../card-number.ts';
import { accountTypes, type Destination } from '../payout/destination.ts';
import { payoutCurrencies } from '../payout/payout.ts';
import { parsePhone } from '../payout/phone.ts';
import { fail, ok, type Result } from '../result.ts';
import { amountIn, oneOf, orderId } from './fields.ts';

export const regularFields = z.object({
  amount: amountIn,
  currency: oneOf(payoutCurrencies),
  account_type: oneOf(accountTypes),
  account_identifier: z.string().check(z.meta({ type: ['string', 'integer'] })),
  account_bank: z.optional(z.string().check(z.meta({ type: ['integer', 'string'] }))),
  card_holder: z.optional(z.string()),
  order_id: z.optional(orderId),
});

type RegularFields = z.output<typeof regularFields>;
type Wrong = readonly [field: keyof RegularFields, sentence: string];

/** The destination that an account's fields describe, or what is wrong with them. */
type Read = Result<Destination, readonly Wrong[]>;

const wrongNumber: Wrong = [
  'account_identifier',
  'The account_identifier must be a card number: check its digits.',
];
const wrongHolder: Wrong = [
  'card_holder',
  'The card_holder must be the name on the card: 2 to 100 Latin or Cyrillic letters, with spaces, dots, hyphens and apostrophes.',
];
const wrongPhone: Wrong = [
  'account_identifier',
  'The account_identifier must be a Russian mobile number: 79 and nine digits, such as 79123456789.',
];
const wrongBank: Wrong = [
  'account_bank',
  'The account_bank must be the member_id of a bank of payout/dictionaries/sbp_banks.',
];

/** The fields that were sent; a missing one is read as empty text. */
type AccountFields = Partial<
  Pick<RegularFields, 'account_type' | 'account_identifier' | 'account_bank' | 'card_holder'>
>;

function readCard({ account_identifier = '', card_holder = '' }: AccountFields): Read {
  const number = parseCardNumber(account_identifier);
  const holder = parseHolder(card_holder);
  if (number !== undefined && holder !== undefined) return ok({ type: 'credit_card', number, holder });
  return fail([
    ...(number === undefined ? [wrongNumber] : []),
    ...(holder === undefined ? [wrongHolder] : []),
  ]);
}

function readSbpAccount({ account_identifier = '', account_bank = '' }: AccountFields): Read {
  const phone = parsePhone(account_identifier);
  const bankId = parseBank(account_bank);
  if (phone !== undefined && bankId !== undefined) return ok({ type: 'sbp', phone, bankId });
  return fail([...(phone === undefined ? [wrongPhone] : []), ...(bankId === undefined ? [wrongBank] : [])]);
}

/** Whether the bank is in the dictionary is decided when the payout is created: a repeated request returns its payout anyway. */
const parseBank = (text: string): number | undefined =>
  /^\d{12}$/.test(text.trim()) ? Number(text) : undefined;

const readAccount = (fields: AccountFields): Read =>
  fields.account_type === 'sbp' ? readSbpAccount(fields) : readCard(fields);

/** Runs even when checks of single fields failed, so that one response reports every error. */
const accountIsComplete = z.check<RegularFields>(
  ({ value, issues }) => {
    const hasIssue = (field: string) => issues.some(({ path }) => path?.[0] === field);
    if (hasIssue('account_type')) return;
    // A field whose own check failed may have any value, so it is left out.
    const valid = Object.entries(value).filter(([field]) => !hasIssue(field));
    const read = readAccount(Object.fromEntries(valid));
    if (read.ok) return;
    for (const [field, sentence] of read.error) {
      if (hasIssue(field)) continue;
      const message = value[field] === undefined ? `The ${field} field is required.` : sentence;
      issues.push({ code: 'custom', path: [field], message, input: undefined });
    }
  },
  { when: () => true },
);

/** Contract 4.8. The account's fields are parsed into a destination. */
export const regularPayoutInput = z.pipe(
  regularFields.check(accountIsComplete),
  z.transform((fields: RegularFields) => {
    const { amount, currency, order_id } = fields;
    const read = readAccount(fields);
    if (!read.ok) throw new Defect('CHECKED_ACCOUNT_UNREADABLE', 'An account that was checked does not read');
    return { amount, currency, order_id, destination: read.value };
  }),
);
