import { Defect } from '../defect.ts';
import type { Acquirer } from '../payment/ports.ts';

const missing = async (): Promise<never> => {
  throw new Defect('ACQUIRER_MISSING', 'This installation has no acquirer: name one in its environment.');
};

/** The acquirer of an installation without one: bills are shown, and no payment can start. */
export const absentAcquirer: Acquirer = {
  name: undefined,
  origin: "'self'",
  start: missing,
  get: missing,
  capture: missing,
  cancel: missing,
  refund: missing,
  readNotification: () => undefined,
};
