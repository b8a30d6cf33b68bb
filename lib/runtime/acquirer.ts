import type { Acquirer } from '../payment/ports.ts';
import { absentAcquirer } from '../provider/absent-acquirer.ts';
import { sandboxAcquirer } from '../provider/sandbox-acquirer.ts';
import { sandboxSecret } from './secrets.ts';
import { optionalSetting, setting } from './setting.ts';

/** The acquirer that this installation chose. */
export async function acquirer(): Promise<Acquirer> {
  const chosen = optionalSetting('ACQUIRER');
  if (chosen === undefined) return absentAcquirer;
  if (chosen !== 'sandbox')
    throw new Error(`There is no acquirer "${chosen}": ACQUIRER may be sandbox or absent.`);
  const steps = setting('ACQUIRER_STEPS') === 'one' ? 'one' : 'two';
  return sandboxAcquirer({ url: setting('SANDBOX_URL'), secret: await sandboxSecret(), steps });
}
