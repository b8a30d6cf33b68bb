import banks from './sbp-banks.json' with { type: 'json' };

/** The participants of the fast payment system, by descending id as the vendor lists them. */
export const sbpBanks: readonly { readonly bank_id: string; readonly name: string; readonly bic: string }[] =
  banks;

export const sbpBankIds: ReadonlySet<string> = new Set(banks.map(({ bank_id: id }) => id));
