import * as z from 'zod/mini';
import { resolveByDns, resolveBySystem } from '../provider/merchant-address.ts';
import { merchantPost as postOver } from '../provider/merchant-post.ts';
import { setting } from './setting.ts';
import { system } from './system.ts';

const policies = z.enum(['public', 'loopback']);

export const merchantUrls = () => policies.parse(setting('MERCHANT_URLS'));

export function merchantPost() {
  const policy = merchantUrls();
  const resolve = policy === 'loopback' ? resolveBySystem : resolveByDns;
  return postOver({ policy, resolve, now: system.now });
}
