import { X509Certificate } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { loadCertificate } from '../../server/tls/load-certificate.ts'
import { issue } from '../support/issue-certificate.ts'
import { test } from '../support/test.ts'

test('a certificate that cannot be used is refused, and what to do is said', async ({ folder }) => {
  const at = (file: string) => join(folder.path, file)
  await issue(folder.path, 'pay.example')
  await issue(folder.path, 'other.example')
  await issue(folder.path, 'old.example', -30, -1)
  await issue(folder.path, 'new.example', 1, 30)
  copyFileSync(at('pay.example.key'), at('swapped.crt'))
  const old = new X509Certificate(readFileSync(at('old.example.crt')))

  const cases: readonly (readonly [cert: string | undefined, key: string | undefined, message: string])[] = [
    ['pay.example.crt', undefined, '--tls-cert is of no use alone. Pass --tls-key too.'],
    [undefined, 'pay.example.key', '--tls-key is of no use alone. Pass --tls-cert too.'],
    [
      'gone.crt',
      'pay.example.key',
      'Certificate gone.crt cannot be read: there is no such file. Pass --tls-cert with one that can.',
    ],
    [
      'pay.example.crt',
      'gone.key',
      'Key gone.key cannot be read: there is no such file. Pass --tls-key with one that can.',
    ],
    ['swapped.crt', 'pay.example.key', 'swapped.crt is no PEM certificate. Pass --tls-cert with one.'],
    [
      'pay.example.crt',
      'pay.example.crt',
      'pay.example.crt is no PEM key without a password. Pass --tls-key with one.',
    ],
    [
      'pay.example.crt',
      'other.example.key',
      'Key other.example.key is not that of certificate pay.example.crt. Pass --tls-cert and --tls-key with two that belong together.',
    ],
    [
      'old.example.crt',
      'old.example.key',
      `Certificate old.example.crt is valid from ${old.validFrom} to ${old.validTo}, which is not now. Pass --tls-cert with one that is.`,
    ],
    ['new.example.crt', 'new.example.key', 'which is not now. Pass --tls-cert with one that is.'],
    [
      'other.example.crt',
      'other.example.key',
      'Certificate other.example.crt is not for pay.example, but for DNS:other.example. Pass --tls-cert with one that is, or another --public-url.',
    ],
  ]
  for (const [cert, key, message] of cases) {
    const files = { cert: cert && at(cert), key: key && at(key) }
    const refused = await loadCertificate(files, ['pay.example']).catch((error: Error) => error)
    expect(refused).toMatchObject({ name: 'UsageError' })
    expect((refused as Error).message.replaceAll(join(folder.path, '/'), '')).toContain(message)
  }
  const files = { cert: at('pay.example.crt'), key: at('pay.example.key') }
  expect(await loadCertificate(files, ['pay.example'])).toMatchObject({
    isSelfSigned: false,
    file: files.cert,
  })
})

test('startSandbox says it by its options', async () => {
  await expect(startSandbox({ tlsCert: 'gone.crt', tlsKey: 'gone.key' })).rejects.toThrow(
    'Certificate gone.crt cannot be read: there is no such file. Set tlsCert to one that can.',
  )
})
