import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { open, type Page, submissionOf, submit } from '../../lib/cli/browser.ts';
import { aReceiver } from '../support/receiver.ts';

const pageAt = (url: string, html: string): Page => ({
  url: new URL(url),
  status: 200,
  root: parse(html),
  refresh: undefined,
});
const formOn = (page: Page) => submissionOf(page.root.querySelector('form')!, page);

describe('a submitted form', () => {
  it('has what a browser would send: hidden and ticked fields, the first button, decoded text', () => {
    const page = pageAt(
      'https://pay.example/transfer/bill?x=1',
      `<form method="post" action="/next"><input type="hidden" name="custom" value="a &amp; b&#13;&#10;c">
       <input type="checkbox" name="ticked" value="1" checked><input type="checkbox" name="not" value="1">
       <input name="empty"><input value="nameless"><button name="do" value="pay">Pay</button>
       <button name="do" value="abandon">Back</button></form>`,
    );
    expect(formOn(page)).toEqual({
      url: new URL('https://pay.example/next'),
      method: 'POST',
      fields: { custom: 'a & b\r\nc', ticked: '1', empty: '', do: 'pay' },
    });
  });

  it('goes to its own page by GET unless it names another action or method', () => {
    const page = pageAt('https://pay.example/transfer/bill', '<form><input name="a" value="1"></form>');
    expect(formOn(page)).toMatchObject({ url: page.url, method: 'GET' });
  });
});

describe('a redirect', () => {
  const answering = (status: number): RequestListener => {
    return (request, response) => {
      if (request.url === '/result') return void response.writeHead(status, { location: '/there' }).end();
      void text(request).then((body) => response.end(`${request.method} ${body}`));
    };
  };

  it.each([
    [302, 'GET '],
    [303, 'GET '],
    [307, 'POST a=1'],
    [308, 'POST a=1'],
  ])('of status %i arrives as "%s"', async (status, arrived) => {
    await using there = await aReceiver(answering(status));
    const submission = { url: new URL(there.url), method: 'POST', fields: { a: '1' } } as const;
    const page = await submit(submission, pageAt(there.url, ''));
    expect(page.root.toString()).toBe(arrived);
    expect(page.url.pathname).toBe('/there');
  });

  it('loop is an error', async () => {
    await using there = await aReceiver((_request, response) => {
      response.writeHead(303, { location: '/result' }).end();
    });
    await expect(open(new URL(there.url))).rejects.toThrow('redirects in a loop');
  });
});

describe('a page that redirects by itself', () => {
  it.each([
    ['by its header', { refresh: '3;url=?check=1' }, ''],
    ['by a meta element', {}, '<meta http-equiv="Refresh" content="3; URL=?check=1">'],
  ])('%s', async (_how, headers, html) => {
    await using there = await aReceiver(
      (_request, response) => void response.writeHead(200, headers).end(html),
    );
    const { refresh } = await open(new URL(there.url));
    expect(refresh).toEqual({ seconds: 3, url: new URL('?check=1', there.url) });
  });
});

describe('a link that does not answer', () => {
  it('is distinguished from one whose host name only containers resolve', async () => {
    await expect(open(new URL('http://shop-network.invalid:3000/transfer/bill'))).rejects.toThrow(
      'This machine cannot resolve shop-network.invalid: give the bill’s id and not its link.',
    );
    await expect(open(new URL('http://127.0.0.1:1/transfer/bill'))).rejects.toThrow(
      'There is no response from http://127.0.0.1:1: start the service with npm start.',
    );
  });
});
