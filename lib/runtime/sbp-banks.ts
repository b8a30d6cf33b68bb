import { activeOf } from '../payout/sbp-banks.ts';
import { cached } from './cached.ts';
import * as stores from './stores.ts';

/** The banks that SBP payouts may go to. A change reaches every function within a minute. */
export const activeBanks = cached(async () => activeOf(await stores.sbpBanks().find()), { forMs: 60_000 });
