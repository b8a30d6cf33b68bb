import type { AcquirerView } from './acquirer.ts';

/** An order that an acquirer took for us and that no payment of the table has, as after a restore. */
export type UnknownPayment = {
  readonly provider: string;
  readonly reference: string;
  /** Our id as the acquirer stored it; undefined when it stored none. */
  readonly paymentId: string | undefined;
  /** As it was when it was first noticed, or last listed again. */
  readonly state: AcquirerView['state'];
  readonly amountMinor: bigint | undefined;
  /** When it was noticed in this state. */
  readonly at: Date;
  /** Who dealt with it; undefined while it waits for a person. */
  readonly closed: Closing | undefined;
};

/** A person's word that an order needs nothing more. `id` is the decision's. */
type Closing = { readonly id: string; readonly by: string; readonly reason: string; readonly at: Date };

export type UnknownOrder = Pick<UnknownPayment, 'provider' | 'reference'>;

export interface UnknownPayments {
  find(order: UnknownOrder): Promise<UnknownPayment | undefined>;
  /** Stores it, once for each state: an order that changes is listed again, also when a person has closed it. */
  keep(payment: UnknownPayment): Promise<void>;
  /** On condition that it is open and in the state of `payment`. Returns whether it was closed. */
  close(payment: UnknownPayment, closed: Closing): Promise<boolean>;
  /** Those that wait for a person, or those that are closed; oldest first. */
  list(which?: 'open' | 'closed'): Promise<readonly UnknownPayment[]>;
}
