import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PaymentId } from '../../lib/ids.ts';
import type { RefundTotals } from '../../lib/payment/payment.ts';
import { paymentKey } from '../../lib/store/payment-item.ts';
import type { Table } from '../../lib/store/table.ts';

/** Writes what the payment's refunds take of it, as a refund does together with its own item. */
export async function setRefunds(
  { client, name: TableName }: Table,
  paymentId: PaymentId,
  refunds: RefundTotals,
): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName,
      Key: paymentKey(paymentId),
      UpdateExpression: 'SET refunds = :refunds',
      ExpressionAttributeValues: { ':refunds': refunds },
    }),
  );
}
