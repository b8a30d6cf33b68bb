import type { Account } from '../records.ts';
import { settingsOf, type World } from '../world.ts';
import { invalidCredentials } from './errors.ts';

/** The account of an `Authorization: Basic` header: the shop's or the gateway's. Throws 401 for any other. */
export function authenticate(world: World, header: string | undefined): Account {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  const [id, secretKey] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  const { shop, gateway } = settingsOf(world);
  if (id === shop.id && shop.secretKeys.includes(secretKey)) return 'shop';
  if (id === gateway.id && gateway.secretKeys.includes(secretKey)) return 'gateway';
  throw invalidCredentials();
}
