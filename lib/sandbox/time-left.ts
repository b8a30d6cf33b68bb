import { html, type Html } from '../page/html.ts';
import type { Messages } from './messages.ts';
import type { Order } from './order.ts';

/** How long the page can still be paid, in started minutes. Nothing for an order that does not expire. */
export const timeLeft = ({ payableUntil }: Order, says: Messages, now: Date): Html | undefined =>
  payableUntil &&
  html`<p class="quiet">${says.minutesLeft(Math.ceil((payableUntil.getTime() - now.getTime()) / 60_000))}</p>`;
