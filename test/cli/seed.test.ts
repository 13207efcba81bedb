import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCli, startSandboxCli } from '../support/cli.ts'
import { callsOf } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const bakery = {
  $schema: './node_modules/paylink-sandbox/dist/seed.schema.json',
  accounts: [{ name: 'Bakery', apiKey: 'devBakeryKey1' }, { name: 'Rider' }],
  links: [{ account: 'Bakery', amount: 12, status: 'paid', recipients: [{ account: 'Rider', share: 50 }] }],
}

const notLoaded = 'The seed was not loaded, because database'

test('--seed: fills a new database, and a reset returns to it', async ({ folder }) => {
  writeFileSync(join(folder.path, 'shop.json'), JSON.stringify(bakery))
  const args = ['--port', '0', '--seed', 'shop.json']
  await using sandbox = await startSandboxCli(args, { cwd: folder.path })
  expect(sandbox.lines).toContain('PAYLINK_API_KEY=devBakeryKey1')
  expect(sandbox.lines.join('\n')).not.toContain(notLoaded)
  const { control } = callsOf(sandbox.url)
  expect((await control('GET', '/links/1001')).answer).toMatchObject({ status: 'paid', amount: 12 })
  expect((await control('GET', '/accounts')).answer.accounts).toHaveLength(2)

  await control('POST', '/reset', { to: 'empty' })
  expect((await control('GET', '/accounts')).answer.accounts).toEqual([])
  await control('POST', '/reset')
  expect((await control('GET', '/links/1001')).answer.status).toBe('paid')
})

test('--seed: a database with data keeps its data, and start prints that the seed was not loaded', async ({
  folder,
}) => {
  const file = join(folder.path, 'shop.json')
  writeFileSync(file, JSON.stringify(bakery))
  const args = ['--port', '0', '--seed', 'shop.json']
  const first = await startSandboxCli(args, { cwd: folder.path })
  await callsOf(first.url).control('POST', '/seed', { links: [{ account: 'Bakery', amount: 1 }] })
  await first.end('SIGTERM')

  writeFileSync(file, JSON.stringify({ accounts: [{ name: 'Butcher' }] }))
  await using second = await startSandboxCli(args, { cwd: folder.path })
  expect(second.lines.join('\n')).toContain(`${notLoaded} .paylink/sandbox.db already has data.`)
  const { control } = callsOf(second.url)
  expect((await control('GET', '/links/1002')).answer.status).toBe('unused')
  await control('POST', '/reset')
  expect((await control('GET', '/accounts')).answer.accounts).toMatchObject([{ name: 'Butcher' }])
})

test.for([
  [
    '{\n  "accounts": [{ "name": x }]\n}',
    /shop\.json cannot be read: Unexpected token 'x' at \S*shop\.json:2:26\. /,
  ],
  ['{\n  "accounts": [{ "name": "a" "b" }]\n}', /after property value at \S*shop\.json:2:30\. /],
  ['{"accounts":[{"name":"Bakery","apiKey":7}]}', /accounts\[0\]\.apiKey: /],
] as const)('--seed: the error about %s names the place', async ([text, said], { folder }) => {
  writeFileSync(join(folder.path, 'shop.json'), text)

  const run = await runCli(['start', '--port', '0', '--seed', 'shop.json'], { cwd: folder.path })

  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(said)
})

test('--db: a folder that was missing is named', async ({ folder }) => {
  const args = ['--port', '0', '--db', 'dta/shop/sandbox.db']
  await using first = await startSandboxCli(args, { cwd: folder.path })
  expect(existsSync(join(folder.path, 'dta', 'shop', 'sandbox.db'))).toBe(true)
  await first.end('SIGTERM')
  await using second = await startSandboxCli(args, { cwd: folder.path })

  const said = 'The folder dta/shop was created for the database, because there was none.'
  expect([first, second].map(({ errors }) => errors.includes(said))).toEqual([true, false])
})

test.for<[how: string, config: object, env: Record<string, string>]>([
  ['a file that the environment names', {}, { PAYLINK_SEED: 'shop.json' }],
  ['a file that the configuration names', { seed: 'shop.json' }, {}],
  ['the configuration itself', { seed: bakery }, {}],
])('a seed can be read from %s', async ([_how, config, env], { folder }) => {
  writeFileSync(join(folder.path, 'shop.json'), `\uFEFF${JSON.stringify(bakery)}`)
  const settings = { port: 0, db: ':memory:', ...config }
  writeFileSync(join(folder.path, 'paylink.config.json'), JSON.stringify(settings))
  await using sandbox = await startSandboxCli([], { cwd: folder.path, env })
  expect(sandbox.lines).toContain('PAYLINK_API_KEY=devBakeryKey1')
})

test.for<[what: string, text: string | undefined, message: string]>([
  [
    'that does not exist',
    undefined,
    'Seed shop.json cannot be read: there is no such file. Set --seed to a JSON file.',
  ],
  ['that is not JSON', '{"accounts":', 'Seed shop.json cannot be read: '],
  [
    'with an unknown key',
    '{"accounts":[{"name":"A","paymentEndpont":""}]}',
    'Seed shop.json cannot be loaded: accounts[0].paymentEndpont: unknown key, did you mean paymentEndpoint?',
  ],
  [
    'with an option that is misspelled',
    '{"accounts":[{"name":"A"}],"links":[{"account":"A","amount":1,"status":"payed"}]}',
    ', did you mean paid?',
  ],
  [
    'that names a missing account',
    '{"accounts":[{"name":"Bakery"}],"links":[{"account":"Bakry","amount":1}]}',
    'Seed shop.json cannot be loaded: links[0].account: there is no account Bakry, did you mean Bakery?',
  ],
  [
    'in which two names lead to one id',
    '{"accounts":[{"name":"A"}],"links":[{"account":"A","amount":1,"payId":6},{"account":"A","amount":1,"id":6}]}',
    'Seed shop.json cannot be loaded: ',
  ],
])(
  '--seed: a file %s is rejected in one line, and nothing is created',
  async ([_what, text, message], { folder }) => {
    const file = join(folder.path, 'shop.json')
    if (text !== undefined) writeFileSync(file, text)
    const { code, stdout, stderr } = await runCli(['--port', '0', '--seed', file], { cwd: folder.path })
    const line = expect.stringContaining(message.replace('shop.json', file))
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([2, '', [line]])
    expect(existsSync(join(folder.path, '.paylink'))).toBe(false)
  },
)

test('--seed: lists up to ten mistakes of a file, one in each line', async ({ folder }) => {
  const file = join(folder.path, 'shop.json')
  const told = async (seed: object): Promise<string[]> => {
    writeFileSync(file, JSON.stringify(seed))
    const { stderr } = await runCli(['--port', '0', '--seed', file], { cwd: folder.path })
    return stderr.trim().split('\n')
  }
  const links = [{ account: 'Bakry', amount: 1, recipients: [{ account: 'Nobody', share: 1 }] }]
  expect(await told({ accounts: [{ name: 'Bakery', id: 7 }], links, link: [] })).toEqual([
    `Seed ${file} cannot be loaded: 4 mistakes.`,
    '  accounts[0].id: should be a UUID.',
    '  link: unknown key, did you mean links?',
    '  links[0].account: there is no account Bakry, did you mean Bakery?',
    '  links[0].recipients[0].account: there is no account Nobody.',
  ])
  const many = await told({ links: Array.from({ length: 12 }, () => ({ account: 'A', amount: 1 })) })
  expect([many.length, many.at(-1)]).toEqual([12, '  And 2 more.'])
})

test('a seed in the configuration file is rejected with the position of its mistake', async ({ folder }) => {
  const config = { port: 0, seed: { accounts: [{ nam: 'A', name: 'A' }] } }
  writeFileSync(join(folder.path, 'paylink.config.json'), JSON.stringify(config))
  const { code, stderr } = await runCli([], { cwd: folder.path })
  expect([code, stderr]).toEqual([
    2,
    'The seed cannot be loaded: accounts[0].nam: unknown key, did you mean name?\n',
  ])
})
