import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openDatabase } from '../../server/store/open-database.ts'
import { runCli } from '../support/cli.ts'
import { spawnSandbox } from '../support/process.ts'
import { callsOf, recipients, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** Needs Linux, and the permission to mount a file system. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0

/** Mounts a small disk at a folder for the command that follows, with part of it in use. */
const withDisk = (folder: string, kibibytes: { size: number; taken: number }, redirect = ''): string[] => {
  const script = `mount -t tmpfs -o size=${kibibytes.size}k tmpfs "$0" && head -c ${kibibytes.taken}k /dev/zero > "$0/taken" && exec "$@" ${redirect}`
  return ['unshare', '-rm', 'sh', '-c', script, folder]
}

const FULL = 'the disk is full. Make room'

test.skipIf(!canMount)(
  'a full disk loses no answered call, and calls work again once there is space',
  async ({ folder, receiver }) => {
    const db = join(folder.path, 'sandbox.db')
    await using sandbox = await spawnSandbox(['--port', '0', '--db', db, '--quiet'], {
      cwd: folder.path,
      through: withDisk(folder.path, { size: 4096, taken: 2560 }),
    })
    const disk = join('/proc', String(sandbox.pid), 'root', folder.path)
    const { control, rawControl, createLink } = callsOf(sandbox.url)
    const create = async () => {
      const response = await fetch(`${sandbox.url}/api/v2/createSplitLink`, {
        method: 'POST',
        headers: { token: shop.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 100, recipients, payment_endpoint: receiver.url }),
      })
      return { status: response.status, envelope: (await response.json()) as { ResponseMsg: string } }
    }

    let created = 0
    let last = await create()
    for (; last.status === 200; last = await create()) created++
    expect(last).toMatchObject({
      status: 500,
      envelope: {
        ResponseCode: 0,
        ResponseMsg: `Nothing was done: the sandbox cannot use its database, ${FULL}, then call again`,
        Result: 'False',
      },
    })
    const notReady = {
      status: 'failing',
      version: expect.any(String),
      database: expect.stringMatching(/^SQLite /),
      reason: `The sandbox cannot use its database: ${FULL}.`,
    }
    const ready = () => fetch(`${sandbox.url}/_sandbox/ready`)
    const refused = await ready()
    expect([refused.status, await refused.json()]).toEqual([503, notReady])
    expect(await runCli(['health', '--sandbox', sandbox.url], { cwd: folder.path })).toMatchObject({
      code: 1,
      stdout: `The sandbox at ${sandbox.url} is not ready: The sandbox cannot use its database: the disk is full. Make room.\n`,
    })
    // Some of the calls share a transaction, and all calls of this transaction are rolled back.
    const together = await Promise.all(Array.from({ length: 8 }, create))
    for (const { status, envelope } of together) {
      if (status === 200) created++
      else expect([status, envelope.ResponseMsg]).toEqual([500, last.envelope.ResponseMsg])
    }
    const taken = await rawControl('POST', '/snapshots', { name: 'full' })
    expect([409, 500]).toContain(taken.status)
    expect(taken.answer.detail).toContain(FULL)
    expect(
      readdirSync(disk).flatMap((name) => (name.endsWith('.snapshots') ? readdirSync(join(disk, name)) : [])),
    ).toEqual([])

    rmSync(join(disk, 'taken'))
    expect((await ready()).status).toBe(200)
    const { id } = await createLink({ payment_endpoint: receiver.url })
    expect(id).toBe(1001 + created)
    const paid = await control('POST', `/links/${id}/pay`)
    expect(paid.answer).toMatchObject({ link: { status: 'paid' }, deliveries: [{ state: 'delivered' }] })
    expect((await control('GET', '/info')).answer).toMatchObject({ counts: { links: created + 1 } })
    expect((await control('POST', '/snapshots', { name: 'roomy' })).status).toBe(201)
    expect(sandbox.errors).toEqual([
      `Database ${db} cannot be used: ${FULL}. Until then, requests that need it fail.`,
    ])
  },
)

test.skipIf(!canMount)('a sandbox without calls notices that the disk is full', async ({ folder }) => {
  await using sandbox = await spawnSandbox(['--port', '0', '--db', join(folder.path, 'sandbox.db')], {
    cwd: folder.path,
    through: withDisk(folder.path, { size: 4096, taken: 0 }),
  })
  const disk = join('/proc', String(sandbox.pid), 'root', folder.path)
  const ready = async () => (await fetch(`${sandbox.url}/_sandbox/ready`)).status
  expect(await ready()).toBe(200)
  const health = await runCli(['health', '--sandbox', sandbox.url, '--json'], { cwd: folder.path })
  const { freeBytes } = JSON.parse(health.stdout) as { freeBytes: number }
  expect([freeBytes > 2 ** 20, freeBytes < 2 ** 22]).toEqual([true, true])
  const files = readdirSync(disk)
  expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(4096 * 1024))).toThrow('ENOSPC')

  expect(await ready()).toBe(503)
  rmSync(join(disk, 'filler'))
  expect(await ready()).toBe(200)
  expect(readdirSync(disk)).toEqual(files)
})

test.skipIf(!canMount)('a full disk of the log loses only lines of the log', async ({ folder }) => {
  await using sandbox = await spawnSandbox(['--port', '0', '--db', ':memory:'], {
    cwd: folder.path,
    through: withDisk(folder.path, { size: 64, taken: 60 }, '2> "$0/log"'),
  })
  const disk = join('/proc', String(sandbox.pid), 'root', folder.path)
  const { call, control } = callsOf(sandbox.url)
  const log = () => readFileSync(join(disk, 'log'), 'utf8')
  const makeMistakes = async (from: number): Promise<void> => {
    for (let cents = from; cents < from + 100; cents++) await call('createLink', { amount: -(cents + 0.001) })
  }
  await makeMistakes(1)
  expect(log()).toHaveLength(4096)

  rmSync(join(disk, 'taken'))
  await makeMistakes(101)
  expect(log()).toContain('amount: -150.001')
  expect((await control('GET', '/events?type=api.request&limit=1000')).answer.events).toHaveLength(200)
})

test.skipIf(!canMount).for([0, 4, 20, 28, 300])(
  'with %d KiB of disk left, start fails and says why in one line',
  async (free, { folder }) => {
    const db = join(folder.path, 'sandbox.db')
    await expect(
      spawnSandbox(['--port', '0', '--db', db], {
        cwd: folder.path,
        through: withDisk(folder.path, { size: 400, taken: 400 - free }),
      }),
    ).rejects.toThrow(
      `The sandbox ended with 2: Database ${db} cannot be opened: ${FULL}, or set --db to another file.`,
    )
  },
)

test.skipIf(!canMount)(
  'without disk space for its certificate, start fails and explains why',
  async ({ folder }) => {
    const db = join(folder.path, 'sandbox.db')
    await expect(
      spawnSandbox(['--port', '0', '--db', db, '--tls'], {
        cwd: folder.path,
        through: withDisk(folder.path, { size: 400, taken: 400 }),
      }),
    ).rejects.toThrow(
      `The sandbox ended with 2: Certificate ${db}.crt cannot be written: ${FULL}, or set --db to another file.`,
    )
  },
)

test.skipIf(!canMount)(
  'a database on a read-only file system is refused with a one-line error',
  async ({ folder }) => {
    const db = join(folder.path, 'sandbox.db')
    await (await openDatabase(db)).close()
    writeFileSync(`${db}.lock`, '')
    const readOnly = [
      'unshare',
      '-rm',
      'sh',
      '-c',
      'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"',
    ]
    await expect(
      spawnSandbox(['--port', '0', '--db', db], { cwd: folder.path, through: [...readOnly, folder.path] }),
    ).rejects.toThrow(
      `The sandbox ended with 2: Database ${db} cannot be opened: it is read-only. Give this user the right to write to the file and its folder, or set --db to another file.`,
    )
  },
)
