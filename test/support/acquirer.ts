import type { Acquirer, Acquirers } from '../../lib/payment/acquirer.ts';
import { acquirersOf } from '../../lib/payment/acquirers.ts';

/** An installation whose only acquirer takes every method and currency that it has. */
export function onlyAcquirer(acquirer: Acquirer): Acquirers {
  const { name } = acquirer;
  const everyCurrency = { RUB: name, USD: name, EUR: name, KZT: name };
  return acquirersOf([acquirer], { card: everyCurrency, sbp: everyCurrency });
}
