import { STSClient } from '@aws-sdk/client-sts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { identifyBy } from '../../lib/cli/identity-at-aws.ts';
import { identifyByName } from '../../lib/cli/identity.ts';

const userid = 'AROAOPERATOROPERATOR1:olga';

/** Responds as STS does. */
async function sts(answer: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(answer);
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an address of a port that is open
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = new STSClient({ endpoint: `http://127.0.0.1:${port}`, region: 'eu-central-1', credentials });
  return { client, stop: () => server.close() };
}

const caller = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><UserId>${userid}</UserId><Account>111122223333</Account><Arn>arn:aws:sts::111122223333:assumed-role/operator/olga</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`;

describe('the person who runs a command', () => {
  it('is the AWS login at a deployed service', async () => {
    const { client, stop } = await sts(caller);
    expect(await identifyBy(client)(undefined, 'login')).toBe(userid);
    stop();
  });

  it('cannot choose another name there', async () => {
    const { client, stop } = await sts(caller);
    await expect(identifyBy(client)('petr', 'login')).rejects.toThrow('--by is for the local service');
    stop();
  });

  it('is the given name at the local service, by default the computer’s login', async () => {
    expect(await identifyByName('petr', 'login')).toBe('petr');
    expect(await identifyByName(undefined, 'login')).toBe('login');
    await expect(identifyByName(' ', 'login')).rejects.toThrow('Give a name');
  });
});
