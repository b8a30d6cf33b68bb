import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page as BrowserPage } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handOffPage } from '../../lib/page/hand-off-page.ts';
import type { Page, Reader } from '../../lib/page/page.ts';
import { paymentPage } from '../../lib/page/payment-page.ts';
import { respond, seeOther } from '../../lib/page/respond.ts';
import { violationsOn } from './accessibility.ts';
import { launchBrowser } from './browser.ts';
import { sampleBill, samplePages } from './sample-pages.ts';

type Responder = (request: IncomingMessage) => ReturnType<typeof respond>;

const nonce = 'c2FtcGxlLW5vbmNl';
const reader = (language: Reader['language']): Reader => ({ language, languageChosen: false, nonce });
const show = (page: Page): ReturnType<typeof respond> => respond(page, nonce);

/** Starts a server that answers as the functions do, including the headers, which are tested too. */
async function serve(answer: Responder): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { statusCode, headers = {}, body } = answer(request);
      response.writeHead(
        statusCode,
        Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)])),
      );
      response.end(body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return { server, origin: `http://127.0.0.1:${address.port}` };
}

let browser: Browser;
const servers: Server[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);

afterAll(async () => {
  await browser.close();
  for (const server of servers) server.close();
});

const start = async (answer: Responder): Promise<string> => {
  const { server, origin } = await serve(answer);
  servers.push(server);
  return origin;
};

const open = async (options: BrowserContextOptions = {}): Promise<BrowserPage> =>
  (await browser.newContext(options)).newPage();

const plain =
  (text: string): Responder =>
  () => ({ statusCode: 200, headers: { 'Content-Type': 'text/plain' }, body: text });

describe('every page', () => {
  const samples: Responder = ({ url = '/' }) => {
    const [, language, name = ''] = url.split('/');
    return show(samplePages[name]!(reader(language === 'en' ? 'en' : 'ru')));
  };

  describe.each([
    ['a small phone, in Russian, light', 'ru', { width: 320, height: 568 }, 'light'],
    ['a wide screen, in English, dark', 'en', { width: 1280, height: 800 }, 'dark'],
  ] as const)('on %s', (_case, language, viewport, colorScheme) => {
    it('is accessible, fits the screen and violates none of its own security policies', {
      timeout: 60_000,
    }, async () => {
      const origin = await start(samples);
      const page = await open({ viewport, colorScheme });
      // With 204 the hand-off page submits itself and still stays open for the checks.
      await page.route('https://shop.example/**', (route) => route.fulfill({ status: 204 }));
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));

      for (const name of Object.keys(samplePages)) {
        await page.goto(`${origin}/${language}/${name}`, { waitUntil: 'commit' });
        await page.waitForSelector('footer', { state: 'attached' });
        // Folded lists are checked open: axe skips what is not shown.
        await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
        const violations = await violationsOn(page);
        const wider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect({ name, violations, wider }).toEqual({ name, violations: [], wider: false });
      }
      expect(messages.filter((each) => /Content Security Policy|violat/i.test(each))).toEqual([]);
    });
  });

  it.each([320, 360])(
    'shows an amount above a million in one line on a phone of %d pixels',
    async (width) => {
      const origin = await start(samples);
      const page = await open({ viewport: { width, height: 640 } });
      for (const language of ['ru', 'en']) {
        await page.goto(`${origin}/${language}/payment-million`);
        const lines = await page.evaluate(
          `(({ offsetHeight }, { lineHeight }) => Math.round(offsetHeight / parseFloat(lineHeight)))(
          document.querySelector('.amount'), getComputedStyle(document.querySelector('.amount')))`,
        );
        expect({ language, lines }).toEqual({ language, lines: 1 });
      }
    },
  );
});

describe('the payment form', () => {
  const form = (acquirer: string) =>
    show(
      paymentPage(reader('en'), {
        ...sampleBill,
        forms: [{ method: 'card', token: 't' }],
        notice: undefined,
        acquirerSources: [acquirer],
      }),
    );

  it('reaches an acquirer on another origin through our redirect', async () => {
    const acquirer = await start(plain('card page'));
    const service = await start(({ method }) =>
      method === 'POST' ? seeOther(`${acquirer}/card`) : form(acquirer),
    );
    const page = await open();

    await page.goto(`${service}/transfer/1`);
    await page.getByRole('button').click();
    await page.waitForURL(`${acquirer}/card`);

    expect(await page.textContent('body')).toBe('card page');
  });

  it('cannot be redirected to any other origin', async () => {
    const phishing = await start(plain('phishing'));
    const service = await start(({ method }) =>
      method === 'POST' ? seeOther(phishing) : form('https://cards.example'),
    );
    const page = await open();
    const refusal = page.waitForEvent('console', (message) => message.text().includes('form-action'));

    await page.goto(`${service}/transfer/1`);
    await page.getByRole('button').click();
    await refusal;

    expect(page.url()).toBe(`${service}/transfer/1`);
  });
});

describe('the hand-off form', () => {
  const handOff = (url: string, custom: string) =>
    show(
      handOffPage(reader('en'), {
        url,
        isShops: true,
        outcome: 'success',
        fields: { InvId: '1047', OutSum: '1250.00', CurrencyIn: 'RUB', custom, SignatureValue: 'AB' },
        plainHttp: true,
      }),
    );

  const shopThatRedirects = async () => {
    const platform = await start(plain('thank you'));
    const seen: { body: string; origin: string | undefined; referer: string | undefined }[] = [];
    const shop = await start((request) => {
      seen.push({ body: '', origin: request.headers.origin, referer: request.headers.referer });
      return { statusCode: 307, headers: { Location: `${platform}/thanks` }, body: '' };
    });
    return { shop, platform, seen };
  };

  it('submits itself to the shop, and the browser follows the shop’s redirect', async () => {
    const { shop, platform } = await shopThatRedirects();
    const service = await start(() => handOff(`${shop}/paid`, 'x'));
    const page = await open();

    await page.goto(`${service}/result/secret-id`);
    await page.waitForURL(`${platform}/thanks`);

    expect(await page.textContent('body')).toBe('thank you');
  });

  it('sends the shop our origin but never the bill’s link', async () => {
    const { shop, platform, seen } = await shopThatRedirects();
    const service = await start(() => handOff(`${shop}/paid`, 'x'));
    const page = await open();

    await page.goto(`${service}/result/secret-id`);
    await page.waitForURL(`${platform}/thanks`);

    expect(seen[0]).toMatchObject({ origin: service, referer: `${service}/` });
  });

  it('sends the signed fields unchanged, also without JavaScript', async () => {
    const custom = '"><script>alert(1)</script> & ключ=значение';
    const shop = await start(plain('thank you'));
    const service = await start(() => handOff(`${shop}/paid`, custom));
    const page = await open({ javaScriptEnabled: false });

    await page.goto(`${service}/result/secret-id`);
    const posted = page.waitForRequest(`${shop}/paid`);
    await page.getByRole('button', { name: 'Back to the shop' }).click();

    expect([...new URLSearchParams((await posted).postData() ?? '')]).toEqual([
      ['InvId', '1047'],
      ['OutSum', '1250.00'],
      ['CurrencyIn', 'RUB'],
      ['custom', custom],
      ['SignatureValue', 'AB'],
    ]);
  });
});
