import { referenceHash } from '../../bill/reference.ts';
import { flagsOf } from '../../merchant/merchant.ts';
import { differingNames } from './differing-names.ts';
import { rule } from './rule.ts';

/** Enough of a token's hash to find its item; several may be wrong. */
const shownOfHash = 12;

/** Tokens, shops, stored accounts, and what finds a bill or a payout by a merchant's own text. */
export const merchantRules = [
  rule({
    invariant: 'tokens_match_merchants',
    of: 'merchant',
    needs: ({ merchant: { tokenHash } }) => [{ kind: 'token', id: tokenHash }],
    broken: ({ merchant: { id, tokenHash } }, found) =>
      found.one('token', tokenHash) ? [] : [`merchant ${id} has no token`],
  }),
  rule({
    invariant: 'tokens_match_merchants',
    of: 'token',
    needs: ({ caller: { merchantId } }) => [{ kind: 'merchant', id: merchantId }],
    broken({ tokenHash, caller: { merchantId, ...flags } }, found) {
      const merchant = found.one('merchant', merchantId)?.merchant;
      if (!merchant)
        return [
          `token ${tokenHash.slice(0, shownOfHash)}… names merchant ${merchantId}, which does not exist`,
        ];
      if (merchant.tokenHash !== tokenHash)
        return [`token ${tokenHash.slice(0, shownOfHash)}… of merchant ${merchantId} is not its current one`];
      const wrong = differingNames(flags, flagsOf(merchant));
      return wrong.length === 0
        ? []
        : [`the token of merchant ${merchantId} and the merchant differ in ${wrong.join(', ')}`];
    },
  }),
  rule({
    invariant: 'shops_match_merchants',
    of: 'shop',
    needs: ({ shop: { id, merchantId } }) => [
      { kind: 'merchant', id: merchantId },
      { kind: 'shop_reference', id: `${merchantId} ${id}` },
    ],
    broken({ shop: { id, merchantId } }, found) {
      if (!found.one('merchant', merchantId))
        return [`shop ${id} is of merchant ${merchantId}, which does not exist`];
      return found.one('shop_reference', `${merchantId} ${id}`)
        ? []
        : [`shop ${id} is not among the shops of merchant ${merchantId}`];
    },
  }),
  rule({
    invariant: 'shops_match_merchants',
    of: 'shop_reference',
    needs: ({ shopId }) => [{ kind: 'shop', id: shopId }],
    broken: ({ merchantId, shopId }, found) =>
      found.one('shop', shopId)?.shop.merchantId === merchantId
        ? []
        : [`merchant ${merchantId} lists shop ${shopId}, which is not theirs`],
  }),
  rule({
    invariant: 'accounts_match_numbers',
    of: 'payout_account',
    needs: ({ account: { merchantId, numberHash } }) =>
      numberHash === undefined ? [] : [{ kind: 'payout_number', id: `${merchantId} ${numberHash}` }],
    broken({ account: { id, merchantId, numberHash, banned } }, found) {
      if (numberHash === undefined) return [];
      const number = found.one('payout_number', `${merchantId} ${numberHash}`)?.number;
      if (!number?.accounts.includes(id))
        return [`account ${id} of ${merchantId} is not known by its number`];
      return number.banned === banned
        ? []
        : [
            `account ${id} of ${merchantId} is ${bannedOrNot(banned)}, but its number is ${bannedOrNot(number.banned)}`,
          ];
    },
  }),
  rule({
    invariant: 'accounts_match_numbers',
    of: 'payout_number',
    needs: ({ number: { merchantId, accounts } }) =>
      accounts.map((id) => ({ kind: 'payout_account', id: `${merchantId} ${id}` })),
    broken: ({ number: { merchantId, numberHash, accounts } }, found) =>
      accounts
        .filter((id) => found.one('payout_account', `${merchantId} ${id}`)?.account.numberHash !== numberHash)
        .map((id) => `a number of ${merchantId} names account ${id}, which has another number`),
  }),
  rule({
    invariant: 'references_match',
    of: 'bill_reference',
    needs: ({ reference: { billId } }) => [{ kind: 'bill', id: billId }],
    broken({ reference }, found, now) {
      const { of, merchantId, shopId, hash, billId, expiresAt } = reference;
      // Deleted later; until then nobody reads it.
      if (expiresAt !== undefined && expiresAt <= now) return [];
      const bill = found.one('bill', billId)?.bill;
      const isIts =
        bill?.merchantId === merchantId &&
        (of === 'key' ||
          ((of === 'order_bill' || bill.shopId === shopId) &&
            bill.orderId !== undefined &&
            referenceHash(bill.orderId) === hash));
      return isIts
        ? []
        : [`${nameOf[of]} of merchant ${merchantId} leads to bill ${billId}, which is not its bill`];
    },
  }),
  rule({
    invariant: 'references_match',
    of: 'payout_claim',
    needs: ({ claim: { groupId } }) => [{ kind: 'group', id: groupId }],
    broken({ claim: { merchantId, groupId, fingerprint, expiresAt } }, found, now) {
      if (expiresAt <= now) return [];
      const group = found.one('group', groupId)?.group;
      return group?.merchantId === merchantId && group.fingerprint === fingerprint
        ? []
        : [
            `an Idempotency-Key of merchant ${merchantId} leads to payout group ${groupId}, which is not of its request`,
          ];
    },
  }),
];

const bannedOrNot = (banned: boolean): string => (banned ? 'banned' : 'not banned');

const nameOf = {
  order: 'an order',
  newest: 'an order',
  order_bill: 'an order',
  key: 'an Idempotency-Key',
} as const;
