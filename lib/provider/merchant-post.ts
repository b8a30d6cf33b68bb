import { checkMerchantUrl, type MerchantUrls } from '../merchant/merchant-url.ts';
import type { MerchantPost, PostAnswer } from '../postback/ports.ts';
import { merchantAddress, type Resolve } from './merchant-address.ts';
import { type Limits, postTo } from './post-to-address.ts';
import type { Unreachable } from './unreachable.ts';
import { within } from './within.ts';

type Settings = {
  readonly policy: MerchantUrls;
  readonly resolve: Resolve;
  readonly now: () => Date;
  readonly limits?: Limits;
  /** Certificates to trust beside the usual ones. */
  readonly certificates?: readonly string[];
};

export const usualLimits: Limits = { totalMs: 15_000, connectMs: 5_000, bodyMs: 2_000, slowMs: 1_000 };

const unreachable = (why: Unreachable): PostAnswer => ({
  kind: 'unreachable',
  why,
});

/**
 * POSTs to URLs that strangers chose. The URL is checked, its name is looked up once, every address is checked, and
 * the socket goes to one of those very addresses. The whole of it has one deadline: a socket's idle timeout does not
 * end a server that sends a byte now and then.
 */
export function merchantPost({ policy, resolve, limits = usualLimits, ...rest }: Settings): MerchantPost {
  return {
    async post({ url: text, headers, body, onSlow }) {
      const url = checkMerchantUrl(text, policy);
      if (!url.ok) return unreachable('bad_url');
      const deadline = AbortSignal.timeout(limits.totalMs);
      using _timer = slowAfter(limits.slowMs, onSlow);

      const found = await within(deadline, merchantAddress(url.value.hostname, policy, resolve));
      if (!found.ok) return unreachable(found.error === 'timeout' ? 'timeout' : 'name_not_found');
      if (found.value === undefined) return unreachable('refused_address');

      const target = { url: url.value, address: found.value };
      const answer = await postTo(target, { headers, body }, { ...rest, limits, deadline });
      return answer.ok ? answer.value : unreachable(answer.error);
    },
  };
}

/** Says so once when that much time has passed, unless it is disposed of before. */
function slowAfter(ms: number, onSlow: () => void = () => undefined): Disposable {
  const timer = setTimeout(onSlow, ms);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
