import { KMSClient } from '@aws-sdk/client-kms';
import { cachedOpener } from '../merchant/cached-opener.ts';
import { openerUnder, resealerUnder, sealerUnder } from '../provider/kms.ts';
import { requestHandler } from './deadlines.ts';
import { lazy } from './cached.ts';
import { setting, system } from './system.ts';

const client = lazy(() => new KMSClient({ requestHandler }));

/** Opens API tokens and webhook secrets, and caches each for five minutes. */
export const tokenOpener = () => cachedOpener(openerUnder(client(), setting('TOKEN_KEY_ID')), system.now);

/** Payout destinations: a function that may seal them may not open them, and the reverse. */
export const destinationSealer = () => sealerUnder(client(), setting('DESTINATION_KEY_ID'));
export const destinationOpener = () => openerUnder(client(), setting('DESTINATION_KEY_ID'));

/** Turns a sealed destination into the sealed phone of a postback, without opening it. */
export const destinationResealer = () => resealerUnder(client(), setting('DESTINATION_KEY_ID'));

/** Payers' contacts, under the same key with a context of their own, to which each function's right is restricted. */
export const contactSealer = () => sealerUnder(client(), setting('DESTINATION_KEY_ID'));
export const contactOpener = () => openerUnder(client(), setting('DESTINATION_KEY_ID'));

/** Phones in payout postbacks, under the same key for another use. They are not cached in the clear. */
export const phoneSealer = () => sealerUnder(client(), setting('DESTINATION_KEY_ID'));
export const phoneOpener = () => openerUnder(client(), setting('DESTINATION_KEY_ID'));
