import { describe, expect, it } from 'vitest';
import type { MerchantUrls } from '../../lib/merchant/merchant-url.ts';
import { mayConnect } from '../../lib/provider/address-check.ts';
import { merchantAddress } from '../../lib/provider/merchant-address.ts';
import { merchantPost } from '../../lib/provider/merchant-post.ts';
import { socketsOpenedBy } from '../support/socket-count.ts';

/** One name after another in a list: the answers of the first look-up, of the second, and so on. */
type Answers = readonly (readonly string[])[];

const pretending = (answers: Answers) => {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    const answer = answers[asked.length - 1];
    if (!answer) throw new Error(`${name} is looked up more often than the test foresaw`);
    return answer;
  };
  return { asked, resolve };
};

const posting = (url: string, answers: Answers, policy: MerchantUrls = 'public') => {
  const { asked, resolve } = pretending(answers);
  const post = merchantPost({ policy, resolve, now: () => new Date(0) });
  return socketsOpenedBy(async () => ({
    answer: await post.post({ url, headers: {}, body: 'InvId=1' }),
    asked,
  }));
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The first, the last and one address in the middle of each block that nobody may be sent to. */
const forbidden = [
  ...words(`
  0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.0.0.1 10.96.0.10 10.255.255.255 100.64.0.0 100.100.100.200
  100.127.255.255 127.0.0.0 127.0.0.1 127.0.0.53 127.1.1.1 127.255.255.255 169.254.0.0 169.254.169.254
  169.254.170.2 169.254.79.129 169.254.255.255 172.16.0.0 172.17.0.1 172.31.255.255 192.0.0.0 192.0.0.8
  192.0.0.171 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.1 192.0.2.255 192.31.196.1 192.52.193.1 192.175.48.1
  192.88.99.0 192.88.99.1 192.88.99.255 192.168.0.0 192.168.1.1 192.168.255.255 198.18.0.0 198.19.255.255
  198.51.100.0 198.51.100.7 198.51.100.255 203.0.113.0 203.0.113.9 203.0.113.255 224.0.0.0 224.0.0.251
  239.255.255.250 239.255.255.255 240.0.0.0 250.1.2.3 255.255.255.254 255.255.255.255 :: ::1 ::2 ::7f00:1
  ::127.0.0.1 0:0:0:0:0:0:0:1 0000::0001 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe
  ::ffff:8.8.8.8 ::ffff:0:0 ::ffff:0:127.0.0.1 ::FFFF:127.0.0.1 0:0:0:0:0:ffff:127.0.0.1 64:ff9b::
  64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8 64:ff9b:1:: 64:ff9b:1::7f00:1
  64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100:: 100::1 100::ffff:ffff:ffff:ffff 100:0:0:1::1 2001:: 2001::1
  2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8:: 2001:db8::1
  2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:c0a8:101::1
  2002:808:808::1 2620:4f:8000::1 3fff:: 3fff::1 3fff:fff:ffff::1 5f00:: 5f00::1 4000::1 8000::1 fc00::
  fc00::1 fd00::1 fd00:ec2::254 fdff:ffff::1 fe80:: fe80::1 fe80::1%eth0 fe80::a9fe:a9fe febf::1 fec0::1
  ff00:: ff01::1 ff02::1 ff02::fb ff05::1:3 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 127.1 0177.0.0.1
  0x7f.0.0.1 2130706433 1.2.3.4.5 8.8.8 08.8.8.8 localhost example.com [::1] 8.8.8.8:80 2606:4700::1111%lo
  2606:4700::1111/64
  `),
  '',
  '8.8.8.8 ',
];

const open = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 198.51.99.1 203.0.114.1 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001::1
  2001:4860:4860::8888 2003::1 2001:200::1 3ffe:ffff::1
`);

describe('an address that no postback is sent to', () => {
  it.each(forbidden)('%s opens no socket, and is refused', async (address) => {
    expect(mayConnect(address, 'public')).toBe(false);
    const { opened, value } = await posting('https://shop.example.com/result', [[address]]);
    expect({ opened, answer: value.answer }).toEqual({
      opened: 0,
      answer: { kind: 'unreachable', why: 'refused_address' },
    });
  });

  it.each(open)('but %s may be called', (address) => {
    expect(mayConnect(address, 'public')).toBe(true);
  });

  it('local development opens this machine and nothing else of it', () => {
    const local = forbidden.filter((address) => mayConnect(address, 'loopback'));
    expect(local).toEqual(['127.0.0.0', '127.0.0.1', '127.0.0.53', '127.1.1.1', '127.255.255.255', '::1']);
  });
});

describe('the name of a container', () => {
  const at = (host: string, policy: 'public' | 'loopback', ...addresses: readonly string[]) =>
    merchantAddress(host, policy, async () => addresses);

  it.each(['172.17.0.1', '192.168.65.254', '10.1.2.3', 'fdc4:f303:9324::254'])(
    'leads local development to %s, and nobody else',
    async (address) => {
      for (const host of ['host.docker.internal', 'shop']) {
        expect(await at(host, 'loopback', address)).toBe(address);
        expect(await at(host, 'public', address)).toBeUndefined();
      }
    },
  );

  it.each(['169.254.169.254', 'fd00:ec2::254', '0.0.0.0', 'fe80::1', '100.100.100.200', 'fc00::1%eth0'])(
    'never leads to %s, which is no container',
    async (address) => expect(await at('host.docker.internal', 'loopback', address)).toBeUndefined(),
  );

  it('is the only one that leads there', async () => {
    expect(await at('shop.example.com', 'loopback', '172.17.0.1')).toBeUndefined();
  });
});

describe('a URL that no name server is asked about', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://0/',
    'https://0.0.0.0/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://ⓛocalhost/',
    'https://localhost./',
    'https://x.localhost/',
    'https://localhost.localdomain/',
    'https://shop/',
    'https://shop.local/',
    'https://ip-10-0-0-1.ec2.internal/',
    'https://metadata.google.internal/',
    'https://vpce-0a1b-2c3d.sqs.us-east-1.vpce.amazonaws.com/',
    'https://INTERNAL-shop-1.us-east-1.elb.AMAZONAWS.COM/',
    'https://router.home.arpa/',
    'https://shop.example.com./',
    'https://shop.example.com:22/',
    'https://shop.example.com:80/',
    'https://shop.example.com:3306/',
    'https://shop.example.com:9001/2018-06-01/runtime/invocation/next',
    'https://shop.example.com:65536/',
    'https://user:word@shop.example.com/',
    'https://shop.example.com@127.0.0.1/',
    'https://127.0.0.1#@shop.example.com/',
    'https://127.0.0.1\\@shop.example.com/',
    'https://shop.example.com\t.evil.example/',
    'https://shop.example.com\r\nHost: evil.example/',
    ' https://shop.example.com/',
    'http://shop.example.com/',
    'http://127.0.0.1:9001/2018-06-01/runtime/invocation/next',
    'file:///etc/passwd',
    'ftp://shop.example.com/',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'unix:/var/run/docker.sock',
    'data:text/plain,hello',
    'javascript:alert(1)',
    '//127.0.0.1/',
    'shop.example.com',
    '',
  ])('%j', async (url) => {
    const { opened, value } = await posting(url, []);
    expect({ opened, ...value }).toEqual({
      opened: 0,
      asked: [],
      answer: { kind: 'unreachable', why: 'bad_url' },
    });
  });
});

describe('a name server that lies', () => {
  const url = 'https://shop.example.com/result';
  it.each<[string, Answers]>([
    ['names a public and a private address', [['93.184.216.34', '10.0.0.1']]],
    ['names a private and a public address', [['10.0.0.1', '93.184.216.34']]],
    ['hides the private one among IPv6', [['93.184.216.34', '::ffff:10.0.0.1']]],
    ['names metadata as the last of many', [[...open, '169.254.169.254']]],
    ['names a private address first and a public one the second time', [['192.168.0.1'], ['93.184.216.34']]],
    ['answers with a name', [['shop.example.com']]],
    ['answers with nonsense', [['\u0000']]],
  ])('that %s is not believed', async (_case, answers) => {
    const { opened, value } = await posting(url, answers);
    expect({ opened, ...value }).toEqual({
      opened: 0,
      asked: ['shop.example.com'],
      answer: { kind: 'unreachable', why: 'refused_address' },
    });
  });

  it('that knows nothing is a failed connection', async () => {
    expect(await posting(url, [])).toMatchObject({
      opened: 0,
      value: { answer: { kind: 'unreachable', why: 'name_not_found' } },
    });
  });
});
