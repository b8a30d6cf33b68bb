import * as z from 'zod/mini';
import { resolveByDns } from '../provider/merchant-address.ts';
import { merchantPost as postOver } from '../provider/merchant-post.ts';
import { setting } from './setting.ts';
import { system } from './system.ts';

const policies = z.enum(['public', 'loopback']);

export const merchantUrls = () => policies.parse(setting('MERCHANT_URLS'));

export const merchantPost = () =>
  postOver({ policy: merchantUrls(), resolve: resolveByDns, now: system.now });
