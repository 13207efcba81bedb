import { expect, test } from 'vitest'
import { isDirect, proxyOf } from '../../../server/platform/http/proxy.ts'

const ON = { NODE_USE_ENV_PROXY: '1' }
const HTTP = { HTTP_PROXY: 'http://proxy.example:3128' }

test.each<[what: string, url: string, env: Record<string, string>, variable: string | undefined]>([
  ['no proxy unless Node is told to use the variables', 'http://pay.example', HTTP, undefined],
  ['the proxy of the scheme', 'http://pay.example', { ...ON, ...HTTP }, 'HTTP_PROXY'],
  ['no proxy of another scheme', 'https://pay.example', { ...ON, ...HTTP }, undefined],
  [
    'the variable in small letters first',
    'http://pay.example',
    { ...ON, ...HTTP, http_proxy: 'http://a.example' },
    'http_proxy',
  ],
  [
    'the proxy with the flag in NODE_OPTIONS',
    'http://pay.example',
    { NODE_OPTIONS: '--no-warnings --use-env-proxy', ...HTTP },
    'HTTP_PROXY',
  ],
])('Node chooses the proxy by the environment: %s', (_what, url, env, variable) => {
  expect(proxyOf(new URL(url), env, [])?.variable).toBe(variable)
})

/** This is what Node 24 does. */
test.each<[list: string, url: string, isExempt: boolean]>([
  ['*', 'http://pay.example', true],
  ['a, *', 'http://pay.example', true],
  [' a , pay.example ', 'http://pay.example', true],
  ['PAY.example', 'http://pay.example', true],
  ['pay.example', 'http://www.pay.example', false],
  ['example', 'http://pay.example', false],
  ['a pay.example', 'http://pay.example', false],
  ['.example', 'http://pay.example', true],
  ['.pay.example', 'http://pay.example', true],
  ['.ple', 'http://pay.example', false],
  ['*.example', 'http://pay.example', true],
  ['*.pay.example', 'http://pay.example', false],
  ['pay.*', 'http://pay.example', false],
  ['http://pay.example', 'http://pay.example', false],
  ['pay.example:80', 'http://pay.example', true],
  ['pay.example:81', 'http://pay.example', false],
  ['203.0.113.5', 'http://203.0.113.5', true],
  ['203.0.113.1-203.0.113.9', 'http://203.0.113.5', true],
  ['203.0.113.6-203.0.113.9', 'http://203.0.113.5', false],
  ['203.0.113.0/24', 'http://203.0.113.5', false],
  ['2001:db8::1', 'http://[2001:db8::1]:8080', true],
  ['[2001:db8::1]', 'http://[2001:db8::1]:8080', false],
  ['', 'http://pay.example', false],
])('NO_PROXY=%s exempts %s from the proxy: %s', (list, url, isExempt) => {
  for (const variables of [{ NO_PROXY: list }, { no_proxy: list }, { no_proxy: '', NO_PROXY: list }])
    expect(proxyOf(new URL(url), { ...ON, ...HTTP, ...variables }, []) === undefined).toBe(isExempt)
})

test('the address of a proxy is shown without its password', () => {
  const env = { ...ON, HTTPS_PROXY: 'http://user:secret@proxy.example' }
  expect(proxyOf(new URL('https://pay.example'), env, [])?.address).toBe('http://user:…@proxy.example')
})

test.each<[host: string, isDirect: boolean]>([
  ['localhost', true],
  ['shop.localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['0.0.0.0', true],
  ['[::1]', true],
  ['[::ffff:10.0.0.1]', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.1.1', true],
  ['[fd00::1]', true],
  ['[fe80::1]', true],
  ['8.8.8.8', false],
  ['[2001:db8::1]', false],
  ['pay.invalid', false],
])('a request to %s goes past the proxy: %s', async (host, expected) => {
  expect(await isDirect(new URL(`http://${host}:4400`))).toBe(expected)
})
