import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect } from 'vitest'
import { startSandbox } from '../../server/package/index.ts'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { SCRAM_USER, startServer } from '../support/start-postgres.ts'
import { test } from '../support/test.ts'
import { runCli, startSandboxCli } from '../support/cli.ts'

const server = postgresUrl ?? ''
const { host } = postgresUrl === undefined ? { host: '' } : new URL(postgresUrl)

/** The error of a sandbox that cannot start with a database. It must not contain the password. */
async function refusal(db: string): Promise<string> {
  const error = await runSandbox({ db }).then(
    () => expect.unreachable('The sandbox has started.'),
    (caught: Error) => caught,
  )
  expect(String(error)).not.toContain('s3cret')
  expect(error.name).toBe('DatabaseError')
  return error.message
}

test('if the server does not answer, the sandbox does not start and says why', async () => {
  const port = await freePort()
  expect(await refusal(`postgres://me:s3cret@127.0.0.1:${port}/shop`)).toBe(
    `Database postgres://me@127.0.0.1:${port}/shop cannot be opened: no server answers at 127.0.0.1:${port} (ECONNREFUSED). Start it, or correct the address, or set db to another database.`,
  )
})

test('the error says that the database does not exist', async () => {
  expect(await refusal(`postgres://sandbox:s3cret@${host}/missing`)).toBe(
    `Database postgres://sandbox@${host}/missing cannot be opened: the server has no database missing. Create it (createdb missing), or set db to another database.`,
  )
})

test('the error says which rights the user needs', async () => {
  await query(server, 'drop role if exists guest; create role guest login')
  expect(await refusal(`postgres://guest:s3cret@${host}/postgres?schema=t-guest`)).toBe(
    `Database postgres://guest@${host}/postgres?schema=t-guest cannot be opened: the user guest may not use or create the schema t-guest (permission denied for database postgres). Make it the owner of the schema (create schema "t-guest" authorization "guest"), or set db to another database.`,
  )
  await query(server, 'drop role guest')
})

test('the error names a user that the server does not know', async () => {
  expect(await refusal(`postgres://nobody-here:s3cret@${host}/postgres`)).toMatch(
    /cannot be opened: the server rejects the user nobody-here \(role "nobody-here" does not exist\)\. Allow it/,
  )
})

test('the sandbox starts only with the correct password', async () => {
  await using schema = newSchema()
  await query(
    server,
    `create role ${SCRAM_USER} login password 'correct'; create schema "${schema.schema}" authorization ${SCRAM_USER}`,
  )
  const address = `${host}/postgres?schema=${schema.schema}`
  const wrong = `Database postgres://${SCRAM_USER}@${address} cannot be opened: the password of the user ${SCRAM_USER} is missing or wrong. Correct it in the URL or in PGPASSWORD, or set db to another database.`

  expect(await refusal(`postgres://${SCRAM_USER}:s3cret@${address}`)).toBe(wrong)
  expect(await refusal(`postgres://${SCRAM_USER}@${address}`)).toBe(wrong)
  await using sandbox = await runSandbox({ db: `postgres://${SCRAM_USER}:correct@${address}` })
  expect((await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
  await sandbox.close()
  await query(server, `drop owned by ${SCRAM_USER} cascade; drop role ${SCRAM_USER}`)
})

test('the error says that a certificate is not trusted, or that its file does not exist', async ({
  folder,
}) => {
  await issueCertificate(folder.path, 'localhost', -1, 30, false)
  const [cert, key] = ['crt', 'key'].map((ending) => readFileSync(join(folder.path, `localhost.${ending}`)))
  // Answers like PostgreSQL up to the beginning of TLS.
  const tlsServer = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, cert: cert!, key: key! }).on('error', () => undefined)
    })
  })
  await once(tlsServer.listen(0, '127.0.0.1'), 'listening')
  const address = `postgres://me@localhost:${(tlsServer.address() as AddressInfo).port}/shop`

  expect(await refusal(`${address}?sslmode=verify-full`)).toMatch(
    /cannot be opened: the certificate of the server is not trusted \(.+\)\. Name the certificate that signed it with sslrootcert=\/path\/to\/ca\.pem in the URL, or accept any certificate with sslmode=no-verify, or set db to another database\.$/,
  )
  expect(await refusal(`${address}?sslmode=verify-full&sslrootcert=/missing.pem`)).toMatch(
    /the file \/missing\.pem of the URL does not exist\. Correct it/,
  )
  tlsServer.close()
})

test('both spellings of the address of a socket are accepted', async () => {
  await using schema = newSchema()
  const [{ folder, port }] = (await query(
    server,
    `select current_setting('unix_socket_directories') as folder, current_setting('port') as port`,
  )) as [{ folder: string; port: string }]
  const socket = `host=${folder}&port=${port}&schema=${schema.schema}`
  for (const address of [
    `postgres:///postgres?user=sandbox&${socket}`,
    `postgres://sandbox@/postgres?${socket}`,
  ]) {
    await using sandbox = await runSandbox({ db: address })
    expect((await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
  }
})

test('a sandbox that fails to start closes its connection', async () => {
  await using proxy = await startCuttingProxy(server)
  // The server asks for the password, and waits for it.
  await refusal(`postgres://${SCRAM_USER}@${new URL(proxy.url).host}/postgres`)
  await expect.poll(proxy.isInUse).toBe(false)
})

test('a server that is a standby is refused', async () => {
  const standby = await startServer({ isStandby: true })
  try {
    const address = new URL(standby.url)
    expect(await refusal(standby.url)).toBe(
      `Database ${standby.url} cannot be opened: the server at ${address.host} is a standby. Connect to the primary server, or set db to another database.`,
    )
  } finally {
    standby.stop()
  }
})

test('a database with an encoding other than UTF8 is refused', async () => {
  await query(server, 'drop database if exists latin')
  await query(
    server,
    `create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
  )
  expect(await refusal(`postgres://sandbox@${host}/latin`)).toMatch(
    /its encoding is LATIN1, but the sandbox needs UTF8\. Create a database with encoding 'UTF8'/,
  )
  await query(server, 'drop database latin')
})

test('a schema of another program is refused', async () => {
  await using schema = newSchema()
  await query(
    server,
    `create schema "${schema.schema}"; create table "${schema.schema}".account (id int);
     create table "${schema.schema}".orders (id int)`,
  )
  expect(await refusal(schema.url)).toMatch(
    /the schema t-\S+ contains orders, which is not a table of the sandbox\. Name another schema in db/,
  )
})

test.for([
  ['another version', `update "schemaVersion" set "version" = '0'`],
  ['no table of versions', 'drop table "schemaVersion"'],
])('a schema with %s is refused', async ([_what, statement]) => {
  await using schema = newSchema()
  await using sandbox = await runSandbox({ db: schema.url })
  await sandbox.close()
  await query(server, `set search_path to "${schema.schema}"; ${statement}`)
  expect(await refusal(schema.url)).toMatch(
    /the schema t-\S+ was written by another version of paylink-sandbox\. Drop it, or use another schema in db, like \?schema=team-b\.$/,
  )
})

test('the error says how to write a password with a slash or #', async () => {
  for (const password of ['s3cret/more', 's3cret#more', 'a/s3cret', 'a#s3cret']) {
    expect(await refusal(`postgres://me:${password}@${host}/shop`)).toMatch(/^db is not a valid URL\./)
  }
})

test('the error names an address that is not a URL, and a schema that is not a name', async () => {
  expect(await refusal('postgres://me:s3cret@[::/shop')).toMatch(/^db is not a valid URL\./)
  expect(await refusal(`${server}?shema=team-a`)).toMatch(
    /^The URL in db has an unknown parameter "shema", did you mean schema\? The parameters are schema, user, host, /,
  )
  expect(await refusal(`${server}?schema=a&schema=b`)).toBe(
    'The URL in db has the parameter "schema" twice. Remove one.',
  )
  expect(await refusal(`${server}?sslmode=verify-ful`)).toBe(
    'The URL in db has an unknown sslmode "verify-ful", did you mean verify-full? The values are disable, prefer, require, verify-ca, verify-full, no-verify.',
  )
  expect(await refusal(`${server}?schema=a"b`)).toMatch(
    /^The schema in db is "a\\"b"\. It must have at most 63 lower-case letters/,
  )
})

test('startSandbox and exec refuse PostgreSQL', async ({ folder }) => {
  await expect(startSandbox({ db: server })).rejects.toThrow('startSandbox cannot use PostgreSQL.')
  const { code, stderr } = await runCli(['exec', '--db', server, '--', 'true'], { cwd: folder.path })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('exec starts its own sandbox, which cannot use PostgreSQL.'),
  })
})

test('if four sandboxes start at once on a new schema, one runs and the others are refused', async () => {
  await using schema = newSchema()
  const starts = await Promise.allSettled([1, 2, 3, 4].map(() => runSandbox({ db: schema.url })))

  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const errors = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []))
  expect(started).toHaveLength(1)
  expect(errors).toEqual(Array(3).fill(expect.stringContaining('is in use by another sandbox')))
  await started[0]!.close()
  await (await runSandbox({ db: schema.url })).close()
})

test('a replica is refused while a sandbox without replicas uses the schema', async ({ folder }) => {
  await using schema = newSchema()
  await using _alone = await runSandbox({ db: schema.url })
  const { code, stderr } = await runCli(['start', '--port', '0', '--replicas', '--db', schema.url], {
    cwd: folder.path,
  })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `Database ${schema.url} is in use by a sandbox that was started without --replicas. Restart that sandbox with --replicas, or use another schema in --db, like ?schema=team-b.\n`,
  })
})

test('a replica whose options differ from those of the leader is refused', async ({ folder }) => {
  await using schema = newSchema()
  writeFileSync(join(folder.path, 'seed.json'), JSON.stringify({ accounts: [{ name: 'Ada' }] }))
  const start = (args: string) => startSandboxCli(argumentsOf(args), { cwd: folder.path })
  const argumentsOf = (args: string): string[] => `--port 0 --replicas --db ${schema.url} ${args}`.split(' ')
  await using leader = await start(
    '--seed seed.json --behavior payId=distinct --behavior order=webhook-first --admin-token open-sesame',
  )

  const args = argumentsOf(
    '--public-url https://pay.example --keep 7 --behavior payId=distinct --allow-host shop.example --map https://shop.example=http://localhost:3000 --upstream https://live.example --allow-production-key --admin-token closed-sesame --tunnel-token ada=open-sesame',
  )
  const { code, stderr } = await runCli(['start', ...args], { cwd: folder.path })
  expect(code).toBe(2)
  expect(stderr).toBe(
    `This replica cannot share database ${schema.url} with the leader at ${leader.url}, because they have different options: --keep (here 7, there 50000); --public-url (here https://pay.example, there not set); --behavior (here payId=distinct, there order=webhook-first, payId=distinct); --allow-host (here shop.example, there not set); --map (here https://shop.example=http://localhost:3000, there not set); --upstream (here https://live.example, there not set); --allow-production-key (here true, there not set); --admin-token (a different value); --tunnel-token (set only here); --seed (a different value). Start all replicas with the same options. To change one, stop all replicas first.\n`,
  )

  await using follower = await start(
    '--seed seed.json --behavior order=webhook-first --behavior payId=distinct --admin-token open-sesame',
  )
  expect(follower.lines.join('\n')).toContain(`forwards to the leader at ${leader.url}`)
})

test('options of an earlier run do not count', async ({ folder }) => {
  await using schema = newSchema()
  const args = ['--port', '0', '--replicas', '--db', schema.url]
  await using earlier = await startSandboxCli([...args, '--keep', '7'], { cwd: folder.path })
  await earlier.end('SIGTERM')
  const start = () => startSandboxCli(args, { cwd: folder.path })
  const [one, other] = await Promise.all([start(), start()])
  await using _one = one
  await using _other = other
  const lines = [...one.lines, ...other.lines].join('\n')
  expect(lines).toContain('leads')
  expect(lines).toContain('forwards to the leader')
})

test('the sandbox prints the address without the password', async ({ folder }) => {
  await using schema = newSchema()
  const url = new URL(schema.url)
  url.password = 's3cret'
  await using sandbox = await startSandboxCli(['--port', '0', '--db', url.href], { cwd: folder.path })
  await sandbox.end('SIGTERM')
  const printed = [...sandbox.lines, ...sandbox.errors].join('\n')
  expect(printed).toContain(`Database      ${schema.url}`)
  expect(printed).not.toContain('s3cret')
})
