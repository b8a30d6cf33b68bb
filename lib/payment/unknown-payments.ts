import type { AcquirerView } from './acquirer.ts';

/** An order that an acquirer took for us and that no payment of the table is about, as after a restore. */
export type UnknownPayment = {
  readonly provider: string;
  readonly reference: string;
  /** Our id as the acquirer stored it; undefined when it stored none. */
  readonly paymentId: string | undefined;
  /** As it was when it was first noticed. */
  readonly state: AcquirerView['state'];
  readonly amountMinor: bigint | undefined;
  /** When it was first noticed. */
  readonly at: Date;
};

export interface UnknownPayments {
  /** Stores it once; a later notification about the same order changes nothing. */
  keep(payment: UnknownPayment): Promise<void>;
  /** All of them, oldest first. */
  list(): Promise<readonly UnknownPayment[]>;
}
