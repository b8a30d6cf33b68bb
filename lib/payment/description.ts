import type { Bill } from '../bill/bill.ts';
import { plainLine } from '../plain-line.ts';

/**
 * Returns what a bill is for, for the acquirer's page and the receipt: without bidirectional controls, because the page may not isolate
 * it.
 */
export const descriptionOf = ({ name, description, orderId, id }: Bill): string =>
  [name, description, orderId].map((text) => plainLine(text ?? '')).find(Boolean) ?? id;
