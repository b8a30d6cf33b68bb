import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';

const announcement = z.object({
  apiUrl: z.string(),
  pagesUrl: z.string(),
  bankUrl: z.string(),
  controlUrl: z.string(),
  shopId: z.string(),
  secretKey: z.string(),
  gatewayId: z.string(),
  gatewaySecretKey: z.string(),
  journal: z.string(),
});

it('the YooKassa emulator is a process: it says where it listens, and ends with the process that started it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yookassa-'));
  const child = spawn(
    process.execPath,
    ['infra/yookassa-emulator/main.ts', '--folder', folder, '--follow-stdin'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { apiUrl, pagesUrl, bankUrl, shopId, secretKey, journal } = announcement.parse(
    JSON.parse(String(line)),
  );
  expect(apiUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v3$/);
  expect(new Set([apiUrl, pagesUrl, bankUrl].map((url) => new URL(url).origin)).size).toBe(3);
  expect(journal.startsWith(folder)).toBe(true);
  const authorization = `Basic ${btoa(`${shopId}:${secretKey}`)}`;
  expect((await fetch(`${apiUrl}/me`, { headers: { authorization } })).status).toBe(200);

  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
