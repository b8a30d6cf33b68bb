import { PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Adjustment,
  type AdjustmentDecision,
  adjustmentEntry,
  approved,
} from '../../lib/ledger/adjustment.ts';
import { adjustmentItem } from '../../lib/store/adjustment-item.ts';
import { putEntry } from '../../lib/store/entry-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { transact } from '../../lib/store/transact.ts';
import { merchantId, today } from './builders.ts';

/** Proposed by olga: 100.00 RUB for the merchant. */
export const anAdjustment = (traits: Partial<Adjustment> = {}): Adjustment => ({
  id: 'AdjustmentAdjust',
  merchantId,
  direction: 'credit',
  amount: { minor: 10_000n, currency: 'RUB' },
  reason: 'charged back by mistake',
  about: undefined,
  status: 'PROPOSED',
  proposedBy: 'olga',
  proposedAt: today,
  decision: undefined,
  ...traits,
});

export const decisionBy = (by: string, traits: Partial<AdjustmentDecision> = {}): AdjustmentDecision => ({
  id: undefined,
  by,
  at: today,
  reason: undefined,
  ...traits,
});

/** The same, approved by petr. */
export const anApprovedAdjustment = ({
  at = today,
  ...traits
}: Partial<Omit<Adjustment, 'status' | 'decision'>> & { readonly at?: Date } = {}): Adjustment =>
  approved(anAdjustment({ proposedAt: at, ...traits }), decisionBy('petr', { at }));

/** Records the adjustment and the journal entry of a balance that a test wrote directly. */
export async function bookOpening(table: Table, minor: bigint): Promise<void> {
  const opening = anApprovedAdjustment({
    id: 'OpeningOpeningOp',
    amount: { minor, currency: 'RUB' },
    reason: 'opening balance',
  });
  await table.client.send(new PutCommand({ TableName: table.name, Item: adjustmentItem(opening) }));
  await transact(table, [putEntry(table, adjustmentEntry(opening))]);
}
