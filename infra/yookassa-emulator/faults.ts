import type { HttpFault, Manner } from './manners.ts';

/** Which requests a rule applies to. What is left out matches everything. */
type FaultMatch = {
  readonly method: 'GET' | 'POST' | undefined;
  /** A regular expression over the path with its query, for example `^/v3/payments/[^/]+/capture$`. */
  readonly path: string | undefined;
  /** The first request that the rule applies to, counted from 1 among those that match. */
  readonly nth: number | undefined;
};

export type FaultRule = {
  readonly id: number;
  readonly match: FaultMatch;
  /** How many requests the rule applies to; without it, all of them until the rule is deleted. */
  readonly times: number | undefined;
  readonly do: HttpFault | Manner;
};

export type NewFaultRule = Omit<FaultRule, 'id'>;

type Counted = { readonly rule: FaultRule; seen: number };

const httpKinds: ReadonlySet<string> = new Set<HttpFault['kind']>([
  'internal_error',
  'no_answer',
  'too_many_requests',
  'refused_credentials',
  'refused',
]);

export const isHttpFault = (effect: HttpFault | Manner): effect is HttpFault => httpKinds.has(effect.kind);

/** The rules that the control endpoint sets, in the order in which they were added. The first that applies counts. */
export class Faults {
  #rules: Counted[] = [];
  #last = 0;
  /** The calls that an amount has disturbed: `POST /v3/payments key`. A repeated call is served. */
  readonly #disturbed = new Set<string>();

  add(rule: NewFaultRule): FaultRule {
    this.#last += 1;
    const added = { id: this.#last, ...rule };
    this.#rules.push({ rule: added, seen: 0 });
    return added;
  }

  list(): readonly FaultRule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  clear(): void {
    this.#rules = [];
  }

  /** Counts the request against every rule and returns what the first that applies does. */
  take(method: string, path: string): HttpFault | Manner | undefined {
    const applying = this.#rules.filter((each) => {
      if (!matches(each.rule.match, method, path)) return false;
      each.seen += 1;
      const first = each.rule.match.nth ?? 1;
      const last = each.rule.times === undefined ? Infinity : first + each.rule.times - 1;
      return each.seen >= first && each.seen <= last;
    });
    return applying[0]?.rule.do;
  }

  /** Whether an amount may disturb this call: only the first time. */
  isFirst(call: string): boolean {
    if (this.#disturbed.has(call)) return false;
    this.#disturbed.add(call);
    return true;
  }
}

function matches({ method, path }: FaultMatch, requested: string, target: string): boolean {
  return (
    (method === undefined || method === requested) && (path === undefined || new RegExp(path).test(target))
  );
}
