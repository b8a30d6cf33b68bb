import { type MerchantId, readMerchantId } from '../ids.ts';
import type { OperatorContext } from './operator-context.ts';
import { required } from './refusals.ts';

/** Reads `--merchant`; throws when there is no such merchant. */
export async function merchantAsked(
  { merchants }: Pick<OperatorContext, 'merchants'>,
  text: string | undefined,
): Promise<MerchantId | undefined> {
  if (text === undefined) return undefined;
  const merchantId = required(readMerchantId(text), 'merchant_not_found');
  return required(await merchants.find(merchantId), 'merchant_not_found').id;
}
