import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { listen } from '../../infra/local/http-server.ts';
import {
  aDataFolder,
  answers,
  interrupt,
  nothingListensAt,
  paylinkProcess,
  payProcess,
  startProcess,
} from '../support/start-process.ts';

let folder: string;

beforeEach(async () => {
  folder = await aDataFolder();
});

/** `npm start` in a folder of its own, on the template that was synthesized for the tests. */
const start = (...options: readonly string[]) => startProcess(folder, inject('assembly'), options);

const demo = async () => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));

const leavesNothing = (runtime: { baseUrl: string; endpoints: Record<string, string> }) =>
  nothingListensAt([runtime.baseUrl, ...Object.values(runtime.endpoints)]);

describe('npm start', () => {
  it('prints its address and records it for other commands', async () => {
    const { text, ready } = start('--port', '0');

    const runtime = await ready();

    const { baseUrl, apiToken, shopId, ...others } = await demo();
    expect(Object.keys(others)).toEqual(['merchantId', 'webhookSecret']);
    expect(runtime).toMatchObject({ baseUrl, environment: 'local', port: Number(new URL(baseUrl).port) });
    for (const fact of [baseUrl, apiToken, shopId]) expect(text()).toContain(fact);
    expect((await stat(join(folder, 'demo.json'))).mode & 0o077).toBe(0);
    // A new table has nothing that the lists could lack.
    const listed = await paylinkProcess(folder, ['merchants', 'list']);
    expect(listed).toMatchObject({ merchants: [{}], incompleteBefore: null });
  });

  it('is reachable from a shop in a container, with links that it can follow', async () => {
    // A name that this machine does not resolve, as host.docker.internal often resolves in containers only.
    const publicUrl = 'http://paylink.invalid:4000';
    const { ready, text } = start('--port', '0', '--host', '0.0.0.0', '--public-url', publicUrl);
    const { port } = await ready();
    const { apiToken, shopId } = await demo();
    expect(text()).toContain(publicUrl);

    const created = await fetch(`http://127.0.0.2:${port}/api/v1/bill/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiToken}` },
      body: new URLSearchParams({ shop_id: shopId, amount: '100.50' }),
    });
    const bill = JSON.parse(await created.text());
    expect(bill.link_page_url).toBe(`${publicUrl}/transfer/${bill.bill_id}`);

    // The page, the card page, the acquirer's notification and the return URL all use that name.
    const { stdout } = await payProcess(folder, [bill.bill_id]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'SUCCESS', billId: bill.bill_id });
  });

  it('is not reachable from other machines by default', async () => {
    const { ready } = start('--port', '0');
    const { port } = await ready();
    expect(await answers(`http://127.0.0.2:${port}`)).toBe(false);
  });

  it.each([
    [['--public-url', 'paylink.example'], 'Give scheme, host and port only'],
    [['--public-url', 'http://paylink.example/pay'], 'Give scheme, host and port only'],
    [['--host', '203.0.113.77'], 'This machine has no address 203.0.113.77'],
  ])('says what is wrong with %j', async (options, sentence) => {
    const { ended, text } = start('--port', '0', ...options);
    expect(await ended).toBe(1);
    expect(text()).toContain(sentence);
  });

  it('shows three curl lines that work when pasted', async () => {
    const { text, ready } = start('--port', '0');
    await ready();
    const lines = text()
      .split('\n')
      .filter((line) => line.includes('curl '));

    const { stdout } = await promisify(execFile)('sh', ['-c', lines.join('\necho\n')]);

    const [bill, status, balance] = stdout.trim().split(/\n+/);
    expect(lines).toHaveLength(3);
    expect(JSON.parse(status!)).toMatchObject({ success: true, id: bill, status: 'NEW', amount: 100.5 });
    expect(JSON.parse(balance!)).toMatchObject({ success: 'true' });
  });

  it('ends with Ctrl-C and leaves nothing running', async () => {
    const { child, ended, ready } = start('--port', '0');
    const runtime = await ready();

    interrupt(child);

    expect(await ended).toBe(0);
    expect(existsSync(join(folder, 'runtime.json'))).toBe(false);
    await leavesNothing(runtime);
  });

  it('leaves nothing running when it is killed', async () => {
    const { child, ready } = start('--port', '0');
    const runtime = await ready();

    child.kill('SIGKILL');

    await leavesNothing(runtime);
  });

  it('keeps its merchant from one run to the next, until --reset', async () => {
    const first = start('--port', '0');
    await first.ready();
    const before = await demo();
    interrupt(first.child);
    await first.ended;

    const second = start('--port', '0');
    await second.ready();
    const after = await demo();
    interrupt(second.child);
    await second.ended;
    await start('--port', '0', '--reset').ready();

    expect(after).toEqual({ ...before, baseUrl: after.baseUrl });
    expect(await demo()).not.toMatchObject({ merchantId: before.merchantId });
  });

  it('refuses to run twice on the same data', async () => {
    const { baseUrl } = await start('--port', '0').ready();

    const second = start('--port', '0');

    expect(await second.ended).toBe(1);
    expect(second.text()).toContain(`Paylink is already running at ${baseUrl}`);
  });

  it('says in one sentence that a port is taken', async () => {
    const server = createServer();
    const port = await listen(server, 0);
    onTestFinished(() => void server.close());

    const { text, ended } = start('--port', String(port));

    expect(await ended).toBe(1);
    expect(text()).toContain(
      `Port ${port} is in use: stop the process that listens on it, or choose another`,
    );
  });

  it('says in one sentence that a template is broken', async () => {
    const { text, ended } = start('--port', '0', '--assembly', folder);

    expect(await ended).toBe(1);
    expect(text()).toMatch(/^The local runner cannot read .*manifest\.json as part of a cloud assembly: /m);
  });

  it('says in one sentence that a URL cannot be used', async () => {
    const { text, ended } = start('--port', '0', '--result-url', 'ftp://example.com');

    expect(await ended).toBe(1);
    expect(text()).toContain('The Result URL is refused');
  });

  it.each([
    [['--port', '99999'], 'A port is a number'],
    [['--prot', '1'], "unknown option '--prot'"],
  ])('explains a wrong option: %j', async (options, sentence) => {
    const { text, ended } = start(...options);

    expect(await ended).toBe(1);
    expect(text()).toContain(sentence);
  });
});
