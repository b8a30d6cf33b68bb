import type { PricePorts } from '../payment/price.ts';
import { merchants, rates, shops, terms } from './store.ts';

/** What the price of a bill is made from. */
export const pricePorts = (): PricePorts => ({
  merchants: merchants(),
  shops: shops(),
  terms: terms(),
  rates: rates(),
});
