import { X509Certificate } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandbox } from '../../../server/package/index.ts'
import { loadCertificate } from '../../../server/platform/tls/load-certificate.ts'
import { issueCertificate } from '../../support/issue-certificate.ts'
import { test } from '../../support/test.ts'

test('the error about an unusable certificate says what is wrong and what to do', async ({ folder }) => {
  const at = (file: string) => join(folder.path, file)
  await issueCertificate(folder.path, 'pay.example')
  await issueCertificate(folder.path, 'other.example')
  await issueCertificate(folder.path, 'old.example', -30, -1)
  await issueCertificate(folder.path, 'new.example', 1, 30)
  copyFileSync(at('pay.example.key'), at('swapped.crt'))
  const old = new X509Certificate(readFileSync(at('old.example.crt')))

  const cases: readonly (readonly [cert: string | undefined, key: string | undefined, message: string])[] = [
    ['pay.example.crt', undefined, 'tlsCert requires tlsKey. Set both.'],
    [undefined, 'pay.example.key', 'tlsKey requires tlsCert. Set both.'],
    [
      'gone.crt',
      'pay.example.key',
      'Certificate gone.crt cannot be read: there is no such file. Set tlsCert to a readable file.',
    ],
    [
      'pay.example.crt',
      'gone.key',
      'Key gone.key cannot be read: there is no such file. Set tlsKey to a readable file.',
    ],
    ['swapped.crt', 'pay.example.key', 'swapped.crt is not a PEM certificate. Set tlsCert to one.'],
    [
      'pay.example.crt',
      'pay.example.crt',
      'pay.example.crt is not a PEM key without a password. Set tlsKey to one.',
    ],
    [
      'pay.example.crt',
      'other.example.key',
      'Key other.example.key does not belong to certificate pay.example.crt. Set tlsCert and tlsKey to a matching pair.',
    ],
    [
      'old.example.crt',
      'old.example.key',
      `Certificate old.example.crt is valid only from ${old.validFrom} to ${old.validTo}. Set tlsCert to one that is valid now.`,
    ],
    ['new.example.crt', 'new.example.key', 'Set tlsCert to one that is valid now.'],
    [
      'other.example.crt',
      'other.example.key',
      'Certificate other.example.crt does not cover pay.example. It covers DNS:other.example. Set tlsCert to one that covers it, or change publicUrl.',
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

test('the error of startSandbox names its options instead of flags', async () => {
  await expect(startSandbox({ tlsCert: 'gone.crt', tlsKey: 'gone.key' })).rejects.toThrow(
    'Certificate gone.crt cannot be read: there is no such file. Set tlsCert to a readable file.',
  )
})
