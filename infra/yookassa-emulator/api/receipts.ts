import { addsUp, receipt as schema } from '../schemas/receipt.ts';
import { settingsOf } from '../world.ts';
import type { Call } from './call.ts';
import { invalid } from './errors.ts';

/**
 * Checks the fiscal receipt of a request and returns whether one will be registered. A shop without receipts ignores the data;
 * a shop with receipts refuses a request without them.
 */
export function checkReceipt({ world }: Call, receipt: unknown, minor: number): boolean {
  if (!settingsOf(world).receipts) return false;
  const parsed = schema.safeParse(receipt);
  if (!parsed.success || !addsUp(parsed.data, minor))
    throw invalid('receipt', 'Receipt is missing or illegal');
  return true;
}
