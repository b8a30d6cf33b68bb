import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../../../infra/yookassa-emulator/control/control.ts';
import {
  type AmountRow,
  amountTable,
  type DisturbedCall,
  type HttpFault,
  type Manner,
} from '../../../infra/yookassa-emulator/manners.ts';
import { testCards } from '../../../infra/yookassa-emulator/test-cards.ts';
import { section, table } from '../../support/markdown.ts';

const readme = readFileSync('infra/yookassa-emulator/README.md', 'utf8');

const span = (ms: number): string => (ms % 86_400_000 === 0 ? `${ms / 86_400_000} d` : `${ms / 3_600_000} h`);

function faultText(fault: HttpFault): string {
  switch (fault.kind) {
    case 'internal_error':
      return `500, ${fault.acted ? 'carried out' : 'not carried out'}`;
    case 'no_answer':
      return `no answer, ${fault.acted ? 'carried out' : 'not carried out'}`;
    case 'too_many_requests':
      return `429 with \`retry_after\` ${fault.retryAfterMs}`;
    case 'refused_credentials':
      return '401';
    case 'refused':
      return '400, also under its key';
  }
}

function mannerText(manner: Manner): string {
  switch (manner.kind) {
    case 'notices':
      return `notifications: ${manner.how}`;
    case 'listed_late':
      return `missing from lists and the search for ${span(manner.afterMs)}`;
    case 'authorizes_less':
      return 'nine tenths are authorized';
    case 'refunded_by_provider':
      return `refunded by the provider ${span(manner.afterMs)} after its success`;
    case 'charged_back':
      return `charged back ${span(manner.afterMs)} after its success`;
    case 'succeeds_late':
      return `succeeds ${span(manner.afterMs)} after it expired`;
    case 'captured_amount_changes':
      return `the captured amount becomes nine tenths ${span(manner.afterMs)} after its success`;
    case 'fee_told_late':
      return manner.afterMs === undefined
        ? '`income_amount` is never told'
        : `\`income_amount\` is told ${span(manner.afterMs)} after its success`;
    case 'receipt_ends':
      return manner.afterMs === undefined
        ? 'its receipt is pending for good'
        : `its receipt is \`${manner.registration}\` ${span(manner.afterMs)} after its success`;
    case 'ends':
      return endText(manner);
  }
}

function endText({ afterMs, reason }: Extract<Manner, { kind: 'ends' }>): string {
  if (afterMs === undefined) return 'pending for good';
  const end = reason === undefined ? '`succeeded`' : `\`canceled\`, \`${reason}\``;
  return afterMs === 0 ? end : `${end} after ${span(afterMs)}`;
}

const callText: Readonly<Record<DisturbedCall, string>> = {
  create: '',
  capture: 'capture: ',
  cancel: 'cancel: ',
};
const effectText = ({ effect }: AmountRow): string =>
  effect.kind === 'fault' ? callText[effect.call] + faultText(effect.fault) : mannerText(effect.manner);

/** One row per effect, with the amounts of the three objects that select it. */
function amountRows(): readonly (readonly string[])[] {
  const effects = [...new Set(amountTable.map(effectText))];
  const amountOf = (effect: string, object: AmountRow['object']) =>
    amountTable.find((row) => row.object === object && effectText(row) === effect)?.amount ?? '—';
  return effects.map((effect) => [
    effect,
    ...(['payment', 'refund', 'payout'] as const).map((object) => amountOf(effect, object)),
  ]);
}

describe('the README of the YooKassa emulator lists', () => {
  it('every test card', () => {
    const rows = testCards.map(({ number, outcome }) => [
      `\`${number}\``,
      outcome.kind === 'refused'
        ? `\`${outcome.reason}\``
        : `paid${outcome.threeDSecure ? ', with 3-D Secure' : ''}`,
    ]);
    expect(section(readme, 'cards')).toBe(table(['Card', 'Result'], rows));
  });

  it('every amount that selects a fault or a manner', () => {
    expect(section(readme, 'amounts')).toBe(table(['Effect', 'Payment', 'Refund', 'Payout'], amountRows()));
  });

  it('every control request', () => {
    const listed = [...section(readme, 'control').matchAll(/`(GET|POST|PUT|PATCH|DELETE) \/control(\S+)`/g)];
    const matches = (method: string, path: string) =>
      controlRoutes.findIndex(
        (route) =>
          route.method === method && route.path.test(path.replace('{account}', 'shop').replace('{id}', 'x')),
      );
    const found = listed.map(([, method = '', path = '']) => matches(method, path));
    expect(found.toSorted((a, b) => a - b)).toEqual(controlRoutes.map((_route, index) => index));
  });
});
