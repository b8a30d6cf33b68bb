import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The nouns of the domain, from the ground up: each may import those before it. Payments and payouts ignore each other. */
const layers = [
  ['money'],
  ['merchant'],
  ['bill'],
  ['postback'],
  ['ledger'],
  ['payment', 'payout'],
  ['refund'],
].map((layer) => layer.map((noun) => `lib/${noun}`));
const nouns = layers.flat();
const below = layers.flatMap((layer, depth) =>
  layer.map((noun) => [noun, layers.slice(0, depth).flat()] as const),
);
/** Files of `lib` itself: `result.ts`, `log.ts`. */
const result = 'lib';
const pure = ['node:crypto', 'zod'];
const sdk = '@aws-sdk';

/** What each room may import: another room, one file of it, a package, or `node:` for all of Node's own modules. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(below.map(([noun, lower]) => [noun, [result, ...lower, ...pure]])),
  'lib/ledger': [result, 'lib/money', 'lib/merchant', 'lib/postback/event.ts', ...pure, 'unhomoglyph'],
  'lib/decision': [result, ...nouns],
  'lib/provider-account': [result, 'lib/money'],
  'lib/reconciliation': [result, ...nouns],
  'lib/search': [result, ...nouns, 'lib/reconciliation', ...pure],
  'lib/seal': [result, ...nouns, 'lib/reconciliation', ...pure],
  'lib/installation': ['lib/ids.ts', 'lib/sandbox/manners.ts', 'zod', 'node:'],
  [result]: [],
  'lib/contract': [result, ...nouns, 'lib/search', 'lib/reconciliation/day.ts', 'zod'],
  'lib/http': [
    result,
    ...nouns,
    'lib/search',
    'lib/contract',
    'zod',
    'node:',
    '@middy',
    '@fastify/busboy',
    'aws-lambda',
  ],
  'lib/page': [result, ...nouns, 'lib/contract', 'lib/http', 'uqr', 'aws-lambda'],
  'lib/store': [
    result,
    ...nouns,
    'lib/search',
    'lib/decision',
    'lib/reconciliation',
    'lib/seal',
    'lib/operator',
    sdk,
    '@smithy',
    'zod',
    'node:',
  ],
  'lib/provider': [result, ...nouns, 'lib/seal', 'lib/sandbox/manners.ts', sdk, 'zod', 'node:'],
  'lib/sandbox': [
    'lib/money',
    'lib/page',
    'lib/defect.ts',
    'lib/contract/safety-headers.ts',
    'lib/http/gateway-event.ts',
    sdk,
    ...pure,
    'aws-lambda',
  ],
  'lib/runtime': [
    result,
    'lib/reconciliation',
    'lib/search',
    'lib/seal',
    'lib/operator',
    'lib/installation/providers.ts',
    ...nouns,
    'lib/provider-account',
    'lib/store',
    'lib/provider',
    'lib/sandbox',
    sdk,
    'zod',
    'node:',
    'aws-lambda',
  ],
  'lib/operator': [result, ...nouns, 'lib/decision', 'lib/reconciliation', 'lib/seal', 'lib/search'],
  'lib/cli': [
    result,
    'lib/reconciliation',
    'lib/search',
    'lib/seal',
    ...nouns,
    'lib/http/api-addresses.ts',
    'lib/decision',
    'lib/installation',
    'lib/search',
    'lib/operator',
    'lib/provider-account',
    'lib/store',
    'lib/provider',
    'lib/runtime',
    sdk,
    'zod',
    'node:',
    'commander',
    '@inquirer/confirm',
    '@inquirer/password',
    'node-html-parser',
  ],
  functions: [
    result,
    'lib/reconciliation',
    'lib/search',
    ...nouns,
    'lib/search',
    'lib/contract',
    'lib/http',
    'lib/page',
    'lib/decision',
    'lib/operator',
    'lib/provider-account',
    'lib/runtime',
    'lib/sandbox',
    'zod',
    'aws-lambda',
  ],
  infra: [
    'lib/alarms.ts',
    'lib/contract',
    'lib/installation',
    'lib/store/table.ts',
    '@aws-sdk/client-lambda',
    'aws-cdk-lib',
    'constructs',
    'esbuild',
    'zod',
    'node:',
  ],
  'infra/local': [
    'lib/installation/command-error.ts',
    'lib/installation/local-endpoints.ts',
    sdk,
    'zod',
    'node:',
    'esbuild',
    'fauxqs',
  ],
  // A party of its own, which nothing of this service may shape; the templating helper is generic.
  'infra/yookassa-emulator': ['lib/page/html.ts', 'lib/page/qr.ts', 'zod', 'node:'],
  'infra/start': [
    'infra',
    'infra/local',
    'lib/installation',
    'lib/cli',
    'lib/merchant',
    'lib/search/migrate-lists.ts',
    sdk,
    'zod',
    'node:',
    'commander',
    'esbuild',
  ],
};

type Source = { readonly file: string; readonly text: string };

/** `lib/bill/bill.ts` lies in `lib/bill`, `infra/app.ts` in `infra`, `lib/result.ts` in `lib`. */
function roomOf(file: string): string {
  const folders = dirname(file).split('/');
  if (folders[0] === 'lib') return folders.slice(0, 2).join('/');
  return ['local', 'start', 'yookassa-emulator'].includes(folders[1] ?? '')
    ? `infra/${folders[1]}`
    : (folders[0] ?? '');
}

/** Every import that points where its room may not: `file -> target`. */
function wrongArrows({ file, text }: Source): readonly string[] {
  const room = roomOf(file);
  const allowed = mayImport[room];
  const statements = text.matchAll(
    /^(?:import|export)\s[^;'=]*\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  const imports = [...statements].map(([, named, bare, late]) => named ?? bare ?? late ?? '');
  return imports
    .filter((target) => {
      if (!target.startsWith('.')) return !allowed?.some((each) => target === each || isWithin(target, each));
      const path = normalize(join(dirname(file), target));
      const goal = roomOf(path);
      return goal !== room && !allowed?.some((each) => goal === each || path === each);
    })
    .map((target) => `${file} -> ${target}`);
}

/** `@aws-sdk/client-sqs` is of `@aws-sdk`, `node:fs` of `node:`. */
const isWithin = (name: string, allowed: string): boolean =>
  name.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`);

const sources = (): readonly Source[] =>
  ['functions', 'lib', 'infra']
    .flatMap((top) =>
      readdirSync(top, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('imports point one way', () => {
  it('from functions over use cases to the domain, and never back', () => {
    expect(sources().flatMap(wrongArrows)).toEqual([]);
  });

  it('through no room that the table does not know', () => {
    expect(
      [...new Set(sources().map(({ file }) => roomOf(file)))].filter((room) => !mayImport[room]),
    ).toEqual([]);
  });

  it.each([
    ['a bill that knows its payments', 'lib/bill/create-bill.ts', '../payment/payment.ts'],
    ['a payment that knows payouts', 'lib/payment/payment.ts', '../payout/payout.ts'],
    ['a command that reaches into the stack', 'lib/cli/shell.ts', '../../infra/functions.ts'],
    ['a use case that reaches for the store', 'lib/bill/create-bill.ts', '../store/bills.ts'],
    ['a rule that calls AWS', 'lib/payout/limits.ts', '@aws-sdk/client-dynamodb'],
    ['a function that reads the table', 'functions/bill-status.ts', '../lib/store/bills.ts'],
    ['the contract that knows HTTP', 'lib/contract/bill.ts', '../http/endpoint.ts'],
    ['the service that knows where it runs', 'lib/runtime/stores.ts', '../../infra/local/runner.ts'],
    ['the stack that reads the table', 'infra/service-stack.ts', '../lib/store/bills.ts'],
    ['the stack that knows where it runs', 'infra/service-stack.ts', './local/runner.ts'],
    ['the emulator that knows what it runs', 'infra/local/runner.ts', '../start/demo.ts'],
    ['the emulator that knows how it is called', 'infra/local/runner.ts', '../../lib/installation/names.ts'],
    ['the emulator that knows the stack', 'infra/local/runner.ts', '../functions.ts'],
    [
      'the emulated provider that knows the service',
      'infra/yookassa-emulator/main.ts',
      '../../lib/money/money.ts',
    ],
    [
      'the emulated provider that knows how it is started',
      'infra/yookassa-emulator/main.ts',
      '../start/demo.ts',
    ],
    ['a noun that opens sockets', 'lib/postback/deliver-postback.ts', 'node:http'],
  ])('and the check sees %s', (_what, file, target) => {
    expect(wrongArrows({ file, text: `import { x } from '${target}';` })).toEqual([`${file} -> ${target}`]);
  });

  it('and the emulator has no word of the service that it runs: it is told', () => {
    const words =
      /paylink|merchant|payer|payout|payment|postback|\bbills?\b|\bshops?\b|acquirer|approver|\brail\b|sandbox|PUBLIC_URL|'PK'/i;
    // Lambda's own names for a function that takes too long.
    const lambdas = /'Sandbox\.(?:InitTimeout|Timedout)'/g;
    const emulator = sources().filter(({ file }) => file.startsWith('infra/local/'));
    const telling = emulator.filter(({ text }) => words.test(text.replaceAll(lambdas, '')));
    expect(emulator.length).toBeGreaterThan(40);
    expect(telling.map(({ file }) => file)).toEqual([]);
  });

  it('and the emulated provider has no word of the service either: others use it as it is', () => {
    const words = /paylink|\bbills?\b|postback|sandbox|acquirer|\brail\b/i;
    const emulator = sources().filter(({ file }) => file.startsWith('infra/yookassa-emulator/'));
    expect(emulator.length).toBeGreaterThan(40);
    expect(emulator.filter(({ text }) => words.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('outside the runtime nobody reads the clock, chance or the environment', () => {
    const touching =
      /\bDate\.now\(|\bnew Date\(\)|\bprocess\.env\b|\bMath\.random\b|\brandomInt\b|node:timers/;
    const inside = sources().filter(
      ({ file }) => /^(functions|lib)\//.test(file) && !/^lib\/(runtime|cli)\//.test(file),
    );
    expect(inside.filter(({ text }) => touching.test(text)).map(({ file }) => file)).toEqual([]);
  });
});

describe('the name of a type', () => {
  it('says whose answer, outcome or step it is', () => {
    const bare = /^\s*(?:export )?(?:type|interface) (?:Answer|Outcome|Step)\b/m;
    expect(sources().flatMap(({ file, text }) => (bare.test(text) ? [file] : []))).toEqual([]);
  });
});
