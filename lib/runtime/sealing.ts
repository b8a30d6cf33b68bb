import { KMSClient } from '@aws-sdk/client-kms';
import { cachedOpener } from '../merchant/cached-opener.ts';
import { openerUnder, sealerUnder } from '../provider/kms.ts';
import { requestHandler } from './deadlines.ts';
import { lazy } from './kept.ts';
import { setting, system } from './system.ts';

const client = lazy(() => new KMSClient({ requestHandler }));

/** API tokens and webhook secrets, opened once in five minutes. */
export const tokenOpener = () => cachedOpener(openerUnder(client(), setting('TOKEN_KEY_ID')), system.now);

/** Payout destinations: who seals cannot open, and who opens cannot seal. */
export const destinationSealer = () => sealerUnder(client(), setting('DESTINATION_KEY_ID'));
export const destinationOpener = () => openerUnder(client(), setting('DESTINATION_KEY_ID'));
