import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judgeConcurrency } from '../../infra/concurrency.ts';
import { listen } from '../../infra/local/http-server.ts';
import { root } from '../../lib/installation/paths.ts';
import type { Template } from '../../infra/local/template/template.ts';
import { at, ofType, templateOf } from './template.ts';

const reserved = (template: Template) =>
  ofType(template, 'AWS::Lambda::Function').flatMap((one) => {
    const count = at(one, 'ReservedConcurrentExecutions');
    return count === undefined ? [] : [[at(one, 'FunctionName'), count] as const];
  });

describe('the authorizer', () => {
  it('has reserved concurrency where the account has enough; no other function has', () => {
    const roomy = templateOf('prod', { freeConcurrency: 1_200 });
    expect(reserved(roomy)).toEqual([['paylink-prod-fn-authorizer', 200]]);
  });

  it.each([undefined, 10, 1_000, 1_199])(
    'uses the shared concurrency where there is not enough: %s',
    (free) => {
      expect(reserved(templateOf('prod', free === undefined ? {} : { freeConcurrency: free }))).toEqual([]);
    },
  );
});

describe('an account', () => {
  it.each(['staging', 'prod'] as const)(
    'too small for real traffic gets no %s, and hears what to ask for',
    (env) => {
      expect(judgeConcurrency(env, 999)).toEqual({
        refusal:
          'The account lets Paylink run 999 functions at a time, and real traffic needs 1,000: ask for 1,200 ' +
          '(Service Quotas, AWS Lambda, Concurrent executions), of which 200 are for the authorizer, and deploy again.',
      });
      expect(judgeConcurrency(env, 1_000)).toEqual({});
    },
  );

  it('for development may be small: only a warning is shown', () => {
    expect(judgeConcurrency('dev', 10)).toEqual({
      warning: expect.stringMatching(/10 functions at a time.*1,200/),
    });
  });
});

/** Answers as Lambda does about an account and its functions, which may not exist yet. */
async function lambdaApi({
  unreserved,
  reserved: own = {},
}: {
  readonly unreserved: number;
  readonly reserved?: Readonly<Record<string, number>>;
}) {
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const [, name = ''] = /\/functions\/([^/]+)\/concurrency/.exec(url) ?? [];
    const found = url.includes('account-settings')
      ? { AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: unreserved } }
      : name in own && { ReservedConcurrentExecutions: own[name] };
    const type = found ? {} : { 'x-amzn-errortype': 'ResourceNotFoundException' };
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json', ...type });
    response.end(JSON.stringify(found || { Message: 'Function not found' }));
  });
  const port = await listen(server, 0);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

/** AWS, as a caller without rights in the account sees it. */
async function refusingAws() {
  const server = createServer((_request, response) => {
    response.writeHead(403, {
      'content-type': 'application/json',
      'x-amzn-errortype': 'AccessDeniedException',
    });
    response.end(JSON.stringify({ Message: 'not allowed' }));
  });
  const port = await listen(server, 0);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

/** Runs a script of infra/ as its npm command does. */
async function script(
  file: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [join(root, 'infra', file), ...words], {
    env: { ...process.env, ...variables },
  });
  const [said, complained, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { said, complained, exitCode: Number(exitCode) };
}

const login = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any', AWS_REGION: 'eu-central-1' };

describe('npm run deploy', () => {
  it('checks the account first, and stops where it is too small', async () => {
    const AWS_ENDPOINT_URL_LAMBDA = await lambdaApi({ unreserved: 10 });
    const { complained, said, exitCode } = await script('deploy.ts', ['--env', 'staging'], {
      ...login,
      AWS_ENDPOINT_URL_LAMBDA,
    });
    expect(exitCode).toBe(1);
    expect(said.trim()).toBe('Reading how many functions the account may run at a time.');
    expect(complained).toMatch(
      /^The account lets Paylink run 10 functions at a time, .* and deploy again\.\n$/,
    );
  });

  it('is not for the environment that npm start runs', async () => {
    const { complained, said, exitCode } = await script('deploy.ts', ['local'], login);
    expect({ complained, said, exitCode }).toEqual({
      complained: 'The local environment is not deployed: npm start runs it.\n',
      said: '',
      exitCode: 1,
    });
  });

  it('says what to do where AWS does not answer', async () => {
    const AWS_ENDPOINT_URL_LAMBDA = await refusingAws();
    const { complained, exitCode } = await script('deploy.ts', ['dev'], {
      ...login,
      AWS_ENDPOINT_URL_LAMBDA,
    });
    expect(complained).toMatch(
      /^The account's concurrency cannot be read \(.*\): log in to the account and deploy again\.\n$/,
    );
    expect(exitCode).toBe(1);
  });

  it('passes the synthesized assembly to the CDK, and says when that was not deployed', async () => {
    const { said, complained, exitCode } = await script('deploy.ts', ['dev'], {
      ...login,
      AWS_ENDPOINT_URL: await refusingAws(),
      AWS_ENDPOINT_URL_LAMBDA: await lambdaApi({ unreserved: 10 }),
    });
    expect(said).toMatch(/^Bundled \d+ functions/m);
    expect(said).toMatch(/^Paylink-dev was not deployed: see the messages above\.$/m);
    // The account is too small for real traffic, which is fine for developers; then the CDK's own complaint.
    expect(complained).toMatch(
      /^The account lets Paylink run 10 functions at a time[^]*Unable to resolve AWS account/,
    );
    expect(exitCode).toBe(1);
  }, 120_000);

  it.each(['paylink-staging-fn-authorizer', 'paylink-staging-authorizer'])(
    'counts what the authorizer already has as its own, under the name it had before nested stacks too: %s',
    async (name) => {
      const AWS_ENDPOINT_URL_LAMBDA = await lambdaApi({ unreserved: 700, reserved: { [name]: 200 } });
      const { complained } = await script('deploy.ts', ['staging'], { ...login, AWS_ENDPOINT_URL_LAMBDA });
      expect(complained).toContain('run 900 functions at a time');
    },
  );
});

describe('a command about prod', () => {
  it.each(['synth.ts', 'deploy.ts'])('says in one sentence what its record needs: %s', async (file) => {
    const { complained, exitCode } = await script(file, ['prod']);
    expect(exitCode).toBe(1);
    expect(complained).toBe(
      'The record of prod in lib/installation/environments.ts is not complete: fill in account, region, domain, alarmAddress and timeZone.\n',
    );
  });
});
