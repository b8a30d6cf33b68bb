export { dynamoBills } from '../../lib/store/bills.ts';
export { payoutItem } from '../../lib/store/payout-item.ts';
export { dynamoPayouts } from '../../lib/store/payouts.ts';
