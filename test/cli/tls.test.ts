import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { test } from '../support/test.ts'

test('start --tls: prints the certificate, and commands say how to trust it', async ({ folder }) => {
  await using sandbox = await startSandboxCli(['--tls', '--port', '0', '--json'], { cwd: folder.path })
  expect(sandbox.url).toMatch(/^https:\/\/127\.0\.0\.1:/)
  const { certificate } = JSON.parse(sandbox.lines[0]!)
  expect(certificate.file).toMatch(/[\\/]\.paylink[\\/]sandbox\.db\.crt$/)
  const cli = (args: readonly string[]) => runCli([...args, '--sandbox', sandbox.url], { cwd: folder.path })

  const refused = await cli(['create', '--amount', '5'])
  expect([refused.code, refused.stderr.split('\n').length]).toEqual([2, 2])
  expect(refused.stderr).toContain(`SHA-256 ${certificate.sha256}`)
  expect(refused.stderr).toContain('NODE_EXTRA_CA_CERTS=<file>')

  for (const args of [['listen', 'shop', '--forward-to', '3000'], ['health']]) {
    const { code, stdout, stderr } = await cli(args)
    expect(code).toBe(args[0] === 'health' ? 1 : 2)
    expect(stdout + stderr).toContain('is not trusted')
    expect(stdout + stderr).toContain('NODE_EXTRA_CA_CERTS=<file>')
  }
  const plain = sandbox.url.replace('https:', 'http:')
  const told = await runCli(['health', '--sandbox', plain], { cwd: folder.path })
  expect([told.code, told.stdout]).toEqual([
    1,
    expect.stringContaining(
      `The sandbox at ${plain} is not ready: This sandbox speaks https. Use ${sandbox.url}`,
    ),
  ])
})

test('commands trust the certificate of a sandbox that uses the same environment', async ({ folder }) => {
  const env = { PAYLINK_TLS: 'true', PAYLINK_PORT: String(await freePort()) }
  await using sandbox = await startSandboxCli([], { cwd: folder.path, env })

  expect(sandbox.lines).toContain(`PAYLINK_URL=${sandbox.url}`)
  expect(sandbox.lines.some((line) => line.startsWith('NODE_EXTRA_CA_CERTS='))).toBe(true)
  for (const args of [['health'], ['create', '--amount', '5'], ['events']]) {
    expect(await runCli(args, { cwd: folder.path, env })).toMatchObject({ code: 0, stderr: '' })
  }
})

test('exec --tls: passes the certificate to the command, together with a certificate that was already trusted', async ({
  folder,
}) => {
  await issueCertificate(folder.path, 'company')
  const script = `fetch(process.env.PAYLINK_URL + '/_sandbox/v1/info').then(({ status }) => process.exit(status === 200 ? 7 : 8))`
  for (const NODE_EXTRA_CA_CERTS of ['', join(folder.path, 'company.crt')]) {
    const env = { NODE_EXTRA_CA_CERTS }
    const { code } = await runCli(['exec', '--tls', '--quiet', '--', process.execPath, '-e', script], {
      cwd: folder.path,
      env,
    })
    expect(code).toBe(7)
  }
})

test('start: serves the certificate of --tls-cert', async ({ folder }) => {
  await issueCertificate(folder.path, 'pay.dev.example')
  const args = ['--tls-cert', 'pay.dev.example.crt', '--tls-key', 'pay.dev.example.key']
  await using sandbox = await startSandboxCli(
    [...args, '--public-url', 'https://pay.dev.example', '--port', '0', '--json'],
    { cwd: folder.path },
  )
  const { certificate } = JSON.parse(sandbox.lines[0]!)
  const file = join(folder.path, 'pay.dev.example.crt')
  expect(certificate).toEqual({ file, sha256: expect.stringMatching(/^[0-9A-F:]{95}$/) })
  expect(sandbox.lines.join('\n')).not.toContain('NODE_EXTRA_CA_CERTS')
})

test('start: rejects an unusable certificate in one line', async ({ folder }) => {
  const file = join(folder.path, 'gone.crt')
  const { code, stdout, stderr } = await runCli(['--tls-cert', file, '--tls-key', 'gone.key'], {
    cwd: folder.path,
  })
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    `Certificate ${file} cannot be read: there is no such file. Set --tls-cert to a readable file.\n`,
  ])
})
