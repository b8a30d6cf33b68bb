import { parseArgs } from 'node:util';
import { startEmulator } from './emulator.ts';

/*
 * The emulator as a process. It prints one JSON line when it listens, and ends at SIGTERM, at Ctrl-C, or when its standard
 * input closes because the process that started it has ended.
 */

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string', default: '0' },
    'pages-port': { type: 'string', default: '0' },
    'bank-port': { type: 'string', default: '0' },
    'payout-balance': { type: 'string', default: '1000000.00' },
    receipts: { type: 'boolean', default: false },
    'follow-stdin': { type: 'boolean', default: false },
  },
});

if (values.folder === undefined) {
  console.error('Give a folder for the state and the journal: --folder DIR');
  process.exit(2);
}

if (!/^\d{1,10}\.\d{2}$/.test(values['payout-balance'])) {
  console.error('Give the payout balance in roubles with two places: --payout-balance 1000000.00');
  process.exit(2);
}

const emulator = await startEmulator({
  folder: values.folder,
  port: Number(values.port),
  pagesPort: Number(values['pages-port']),
  bankPort: Number(values['bank-port']),
  payoutBalance: values['payout-balance'],
  receipts: values.receipts,
}).catch((error: NodeJS.ErrnoException & { readonly port?: number }) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`Port ${error.port} is in use, so the YooKassa emulator cannot listen on it.`);
  process.exit(1);
});
const { apiUrl, pagesUrl, bankUrl, controlUrl, shopId, secretKey, gatewayId, gatewaySecretKey, journal } =
  emulator;
console.log(
  JSON.stringify({
    apiUrl,
    pagesUrl,
    bankUrl,
    controlUrl,
    shopId,
    secretKey,
    gatewayId,
    gatewaySecretKey,
    journal,
  }),
);

async function end(): Promise<never> {
  await emulator.stop();
  process.exit(0);
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => void end());
if (values['follow-stdin']) process.stdin.resume().once('end', () => void end());
