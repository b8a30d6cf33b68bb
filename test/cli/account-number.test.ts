import { describe, expect, it } from 'vitest';
import { merchantId } from '../support/builders.ts';
import { operatorHarness, terminal } from '../support/operator.ts';

const card = '4111111111111111';
const adds = `account add ${merchantId} --type card --holder "IVAN PETROV"`;

/** The operator's terminal at an environment of that name, with hidden or piped input. */
async function at(environment: string, input: { readonly hidden?: string; readonly piped?: string } = {}) {
  const { context } = await operatorHarness();
  const stored = async () => (await context.payoutAccounts.listOf(merchantId)).map(({ mask }) => mask);
  return { ...terminal({ ...context, environment }, input), stored };
}

describe('the number of a payout account', () => {
  it.each([
    [
      'is refused on the command line of a deployed service, where it would stay in the history',
      'prod',
      `${adds} --number ${card}`,
    ],
    ['is refused there in one word, too', 'dev', `${adds} --number=${card}`],
  ])('%s', async (_what, environment, line) => {
    const operator = await at(environment);
    const { exitCode, complained } = await operator.type(line, true);
    expect([exitCode, await operator.stored()]).toEqual([1, []]);
    expect(complained).toMatch(/stays in logs .* omit --number to be asked .* --number -/);
    expect(complained).not.toContain(card);
  });

  it('is accepted on the command line of the local service', async () => {
    const operator = await at('local');
    expect(await operator.type(`${adds} --number ${card}`, true)).toMatchObject({ exitCode: 0 });
    expect(await operator.stored()).toEqual(['411111******1111']);
  });

  it.each(['local', 'prod'])('is read from standard input at %s', async (environment) => {
    const operator = await at(environment, { piped: ` ${card} \r\nwhat else stands there\n` });
    expect(await operator.type(`${adds} --number -`)).toMatchObject({ exitCode: 0 });
    expect(await operator.stored()).toEqual(['411111******1111']);
  });

  it.each(['local', 'prod'])('is prompted for and not shown at %s', async (environment) => {
    const operator = await at(environment, { hidden: `${card} ` });
    const { exitCode, said } = await operator.type(adds, true);
    expect([exitCode, operator.asked]).toEqual([0, ['Card or phone number (it is not shown):']]);
    expect(await operator.stored()).toEqual(['411111******1111']);
    expect(said).not.toContain(card);
  });

  it('is required where there is no terminal to prompt, and the message says how to send it', async () => {
    const operator = await at('prod');
    const { exitCode, complained } = await operator.type(adds);
    expect([exitCode, await operator.stored()]).toEqual([1, []]);
    expect(complained).toMatch(/--number -/);
  });

  it('that is invalid is refused and not repeated', async () => {
    const operator = await at('prod', { piped: '4111111111111112\n' });
    const { exitCode, complained } = await operator.type(`${adds} --number -`);
    expect(exitCode).toBe(1);
    expect(complained).not.toContain('4111');
  });
});
