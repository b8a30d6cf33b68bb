import { describe, expect, it } from 'vitest';
import { create } from '../../functions/openapi.ts';
import { get } from '../support/api-event.ts';

describe('GET /openapi.json', () => {
  it('answers everyone with the contract, at the address that the service is reached at', async () => {
    expect(await get(create({ publicUrl: 'https://pay.example.test' }))).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { openapi: '3.1.0', servers: [{ url: 'https://pay.example.test' }] },
    });
    expect((await get(create({ publicUrl: undefined }))).body).toMatchObject({
      servers: [{ url: 'https://api.example.test/v1' }],
    });
  });
});
