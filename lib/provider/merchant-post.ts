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
  /** The only CA certificates to trust, in place of Node's own. */
  readonly certificates?: readonly string[];
};

export const usualLimits: Limits = { totalMs: 15_000, connectMs: 5_000, bodyMs: 2_000, slowMs: 1_000 };

const unreachable = (why: Unreachable): PostAnswer => ({
  kind: 'unreachable',
  why,
});

/**
 * POSTs to untrusted URLs. Checks the URL, resolves its name once, checks every address, and connects to one of the checked
 * addresses. One deadline covers all steps, because an idle timeout does not stop a server that sends a byte now and then.
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

/** Calls `onSlow` once after this time, unless disposed before. */
function slowAfter(ms: number, onSlow: () => void = () => undefined): Disposable {
  const timer = setTimeout(onSlow, ms);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
