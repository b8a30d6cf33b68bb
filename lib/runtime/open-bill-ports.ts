import { resolvePorts } from './payment-ports.ts';
import { pricePorts } from './price-ports.ts';
import { pageSecrets } from './secrets.ts';
import { bills } from './store.ts';
import { system } from './system.ts';

/** What the payment page and its form work with. */
export const openBillPorts = async () => ({
  ...pricePorts(),
  ...(await resolvePorts()),
  bills: bills(),
  newId: system.newId,
  pageSecrets,
});
