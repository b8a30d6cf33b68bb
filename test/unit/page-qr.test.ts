import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { qrCode } from '../../lib/page/qr.ts';

describe('the QR code', () => {
  const text = 'https://abcdefghij.execute-api.eu-central-1.amazonaws.com/prod/transfer/aB3dE6gH9jK2mN5p';

  it('draws exactly the dark modules of the code, with a quiet zone of four modules', () => {
    const { data, size } = encode(text, { ecc: 'M', border: 4 });
    const drawn = data.map(() => Array.from({ length: size }, () => false));
    for (const [, x, y, run] of qrCode(text)
      .toString()
      .matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
      drawn[Number(y)]!.fill(true, Number(x), Number(x) + Number(run));
    }
    expect(drawn).toEqual(data);
    expect(drawn.slice(0, 4).flat()).not.toContain(true);
  });

  it('is black on white in any colour scheme', () => {
    const markup = qrCode(text).toString();
    expect(markup).toContain('fill="#fff"');
    expect(markup).not.toContain('currentColor');
  });
});
