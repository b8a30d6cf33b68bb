import { json, notFound, type SandboxResponse } from './answer.ts';
import { byCurrency, bySubject, movements, type Line } from './books.ts';
import type { SandboxDeps } from './deps.ts';
import type { Request } from './request.ts';

/** GET books: movements per payment and transfer, and totals, to reconcile with the service's journal. */
export async function booksApi({ table }: SandboxDeps, { method, path }: Request): Promise<SandboxResponse> {
  if (method !== 'GET' || path.length > 1) return notFound();
  const lines = await movements(table);
  const acquirer = lines.filter(({ kind }) => kind !== 'paid_out');
  const rail = lines.filter(({ kind }) => kind === 'paid_out');
  return json(200, {
    acquirer: { totals: byCurrency(acquirer).map(taken), orders: bySubject(acquirer).map(takenFor) },
    rail: { totals: byCurrency(rail).map(sent), transfers: bySubject(rail).map(sentFor) },
  });
}

const taken = ({ currency, captured, refunded }: Line) => ({ currency, captured, refunded });
const takenFor = (line: Line) => ({ paymentId: line.subject, ...taken(line) });
const sent = ({ currency, paid_out }: Line) => ({ currency, paidOut: paid_out });
const sentFor = (line: Line) => ({ key: line.subject, ...sent(line) });
