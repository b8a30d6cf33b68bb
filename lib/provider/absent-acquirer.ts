import { Defect } from '../defect.ts';
import type { Acquirer } from '../payment/ports.ts';

const nobody = async (): Promise<never> => {
  throw new Defect('ACQUIRER_MISSING', 'This installation has no acquirer: its environment names one.');
};

/** Where no acquirer is chosen yet: bills are shown, and no payment starts. */
export const absentAcquirer: Acquirer = {
  name: undefined,
  origin: "'self'",
  start: nobody,
  get: nobody,
  capture: nobody,
  cancel: nobody,
  refund: nobody,
  readNotification: () => undefined,
};
