import { describe, expect, it } from 'vitest';
import { checkMerchantUrl } from '../../lib/merchant/merchant-url.ts';

describe('a merchant URL that is allowed', () => {
  it.each([
    ['https://shop.example.com/result'],
    ['https://shop.example.com:443/result?a=b#c'],
    ['https://shop.example.com:8443/'],
    ['HTTPS://SHOP.EXAMPLE.COM/'],
    ['https://bücher.example.com/päyment'],
    ['https://xn--bcher-kva.example/'],
    ['https://1.2.3.example.com/'],
    ['https://under_score.example.com/'],
    ['https://notlocalhost.com/'],
    ['https://x.execute-api.us-east-1.amazonaws.com/live/result'],
    ['https://shop-1234567890.eu-central-1.elb.amazonaws.com/result'],
    ['https://ec2-203-0-113-7.eu-central-1.compute.amazonaws.com/'],
    ['https://internal-affairs.example.com/'],
  ])('%s', (url) => {
    expect(checkMerchantUrl(url, 'public')).toEqual({ ok: true, value: new URL(url) });
  });
});

describe('a merchant URL that is refused with a reason', () => {
  it.each([
    ['', 'it is not a URL'],
    ['shop.example.com/result', 'it is not a URL'],
    ['//shop.example.com/result', 'it is not a URL'],
    ['https://', 'it is not a URL'],
    ['https://256.256.256.256/', 'it is not a URL'],
    ['https://shop.example.com:99999/', 'it is not a URL'],
    [`https://shop.example.com/${'a'.repeat(2048)}`, 'it is longer than 2048 characters'],
    ['https://shop.example.com\\@evil.example/', 'it contains a space, a control character or a backslash'],
    ['https://shop.example.com/a b', 'it contains a space, a control character or a backslash'],
    ['https://shop.exa\nmple.com/', 'it contains a space, a control character or a backslash'],
    ['https://shop.example.com/\u0000', 'it contains a space, a control character or a backslash'],
    ['http://shop.example.com/', 'it must begin with https://'],
    ['ftp://shop.example.com/', 'it must begin with https://'],
    ['file:///etc/passwd', 'it must begin with https://'],
    ['javascript:alert(1)', 'it must begin with https://'],
    ['gopher://shop.example.com/', 'it must begin with https://'],
    ['https://user@shop.example.com/', 'it must not contain a user name or password'],
    ['https://user:word@shop.example.com/', 'it must not contain a user name or password'],
    ['https://shop.example.com:80/', 'its port must be 443 or 8443'],
    ['https://shop.example.com:9001/', 'its port must be 443 or 8443'],
    ['https://127.0.0.1/', 'its host must be a name, not an address'],
    ['https://8.8.8.8/', 'its host must be a name, not an address'],
    ['https://[2606:4700::1111]/', 'its host must be a name, not an address'],
    ['https://localhost/', 'its host must be a full name with a dot'],
    ['https://ⓛocalhost/', 'its host must be a full name with a dot'],
    ['https://intranet/', 'its host must be a full name with a dot'],
    ['https://app.localhost/', 'its host is a private name'],
    ['https://printer.local/', 'its host is a private name'],
    ['https://metadata.google.internal/', 'its host is a private name'],
    ['https://instance-data.ec2.internal/', 'its host is a private name'],
    ['https://vpce-0a1b-2c3d.sqs.us-east-1.vpce.amazonaws.com/', 'its host is a private name'],
    ['https://internal-shop-1234567890.eu-central-1.elb.amazonaws.com/', 'its host is a private name'],
    ['https://internal-shop-1.cn-north-1.elb.amazonaws.com.cn/', 'its host is a private name'],
    ['https://host.docker.internal/', 'its host is a private name'],
    ['https://shop.example.com./', 'its host is not a proper name'],
    ['https://shop..example.com/', 'its host is not a proper name'],
    ['https://-shop.example.com/', 'its host is not a proper name'],
    [`https://${'a'.repeat(64)}.example.com/`, 'its host is not a proper name'],
    [`https://${'a.'.repeat(130)}example.com/`, 'its host is longer than 253 characters'],
  ])('%s', (url, reason) => {
    expect(checkMerchantUrl(url, 'public')).toEqual({ ok: false, error: reason });
  });
});

describe('on a developer’s machine', () => {
  it.each([
    ['http://localhost:4000/result'],
    ['http://127.0.0.1:4000/result'],
    ['http://[::1]:4000/result'],
    ['https://shop.localhost:4000/'],
    ['http://shop.example.com/'],
    ['http://host.docker.internal:8080/result'],
    ['http://host.containers.internal/'],
    ['http://shop:8080/result'],
  ])('%s is allowed too', (url) => {
    expect(checkMerchantUrl(url, 'loopback').ok).toBe(true);
  });

  it.each([
    ['http://10.0.0.1/'],
    ['http://169.254.169.254/latest/meta-data/'],
    ['http://0.0.0.0:3000/'],
    ['http://[::ffff:7f00:1]/'],
    ['http://router.local/'],
    ['http://user@localhost:4000/'],
  ])('%s is still refused', (url) => {
    expect(checkMerchantUrl(url, 'loopback').ok).toBe(false);
  });
});
