import { addsUp, isTakenByYookassa, receipt as schema } from '../schemas/receipt.ts';
import { settingsOf } from '../world.ts';
import type { Call } from './call.ts';
import { invalid } from './errors.ts';

/**
 * Checks the fiscal receipt of a request and returns whether one will be registered. A shop without receipts ignores the data;
 * a shop with receipts refuses a request without them.
 */
export function checkReceipt({ world }: Call, receipt: unknown, minor: number): boolean {
  const { receipts, ownReceipts } = settingsOf(world);
  if (!receipts) return false;
  const parsed = schema.safeParse(receipt);
  const isLegal =
    parsed.success && addsUp(parsed.data, minor) && (!ownReceipts || isTakenByYookassa(parsed.data));
  if (!isLegal) throw invalid('receipt', 'Receipt is missing or illegal');
  return true;
}
