import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BehaviorChanges } from '../../server/client/behaviors.ts'
import type { SandboxAccount } from '../../server/client/account.ts'
import { startSandbox } from '../../server/package/index.ts'
import { startCallerProgram } from '../support/caller.ts'
import { freePort } from '../support/free-port.ts'
import { installedPath, runInstalled } from '../support/installed.ts'
import { temporaryFolder } from '../support/process.ts'
import { hasProgram } from '../support/programs.ts'
import { runDocument } from '../support/run-document.ts'

const isWindows = process.platform === 'win32'

const shops = [
  { recipe: 'shop-node', program: ['node', 'shop.mjs'], isMissing: false },
  {
    recipe: 'shop-python',
    program: ['python3', 'shop.py'],
    isMissing: isWindows || !hasProgram('python3', 'python3', '--version'),
  },
  {
    recipe: 'shop-php',
    program: ['php', '-S', '127.0.0.1:{port}', 'shop.php'],
    isMissing: isWindows || !hasProgram('php-cli', 'php', '--version'),
  },
] as const

type Example = (typeof shops)[number]

/** Starts a shop at a port, which stores its orders in a folder. Disposing of the shop kills it. */
async function startShop(
  { recipe, program }: Example,
  account: SandboxAccount,
  folder: string,
  port: number,
) {
  const [name, ...args] = program.map((word) => word.replace('{port}', String(port))) as [string, ...string[]]
  const data = { SHOP_DATA: join(folder, 'orders'), SHOP_URL: `http://127.0.0.1:${port}` }
  return startCallerProgram(
    [name, ...args],
    { ...account.env, ...data, PORT: String(port), PHP_CLI_SERVER_WORKERS: '4' },
    installedPath('recipes', recipe),
  )
}

/** Buys a voucher as a browser does. Returns the pay link. */
async function buy(shop: { readonly url: string }, order: string): Promise<string> {
  const body = new URLSearchParams({ order, amount: '10.5', note: '<b>Zoë</b> & ☕' })
  const response = await fetch(`${shop.url}/orders`, { method: 'POST', body, redirect: 'manual' })
  return response.headers.get('location') ?? `No pay link: ${response.status} ${await response.text()}`
}

async function readState(shop: { readonly url: string }, order: string): Promise<unknown> {
  return (await fetch(`${shop.url}/orders/${order}/state`)).json()
}

const PAID = { status: 'paid', fulfilled: 1 }

const USUAL: BehaviorChanges = {
  order: null,
  webhookEncoding: null,
  payId: null,
  statusText: null,
  amountText: null,
}

const behaviors: readonly BehaviorChanges[] = [
  { order: 'redirect-first' },
  { order: 'webhook-first' },
  { webhookEncoding: 'json' },
  { payId: 'distinct' },
  { statusText: 'lowercase' },
  { amountText: 'two-decimals' },
  { webhookEncoding: 'json', payId: 'distinct', statusText: 'lowercase', amountText: 'two-decimals' },
]

describe.each(shops)('the recipe $recipe', (example) => {
  test.skipIf(isWindows || example.isMissing)(
    'passes both checks for a reader who follows its README',
    async () => {
      const readme = readFileSync(installedPath('recipes', example.recipe, 'README.md'), 'utf8')
      const folder = `recipe-${example.recipe}`
      cpSync(installedPath('recipes', example.recipe), installedPath('documents', folder), {
        recursive: true,
      })

      expect(await runDocument(folder, readme, await freePort())).toEqual([])
    },
  )

  test.skipIf(example.isMissing)('loses no payment if it is killed after its answer', async () => {
    using folder = temporaryFolder()
    await using sandbox = await startSandbox()
    const account = await sandbox.account('Flower Shop')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const command = example.program.map((word) => `"${word.replace('{port}', String(port))}"`).join(' ')
    const state = ['--state-url', `${url}/orders/{order}/state`, '--count-pointer', '/fulfilled']
    const order = [
      '--order-url',
      `${url}/orders`,
      '--order-body',
      'order={order}&amount={amount}&note={note}',
    ]

    const check = ['paylink-sandbox', 'check', `${url}/webhooks`, '--sandbox', sandbox.url] as const
    const run = await runInstalled(
      `recipes/${example.recipe}`,
      [
        ...check,
        ...order,
        ...state,
        '--restart',
        command,
        '--only',
        'form-encoded-brackets,killed-after-answer',
      ],
      { ...account.env, SHOP_DATA: join(folder.path, 'orders'), SHOP_URL: url, PORT: String(port) },
    )

    expect(run).toEqual({ code: 0, said: expect.stringContaining('2 passed.') })
  })

  test.skipIf(example.isMissing)('still has its paid and unpaid orders after a kill -9', async () => {
    using folder = temporaryFolder()
    await using sandbox = await startSandbox()
    const account = await sandbox.createAccount()
    const port = await freePort()
    const killed = await startShop(example, account, folder.path, port)
    const links = [await buy(killed, 'paid-order'), await buy(killed, 'open-order')]
    const { deliveries } = await account.pay(links[0]!, { browser: 'closes' })
    await killed[Symbol.asyncDispose]()

    await using shop = await startShop(example, account, folder.path, port)

    expect(await readState(shop, 'paid-order')).toEqual(PAID)
    expect(await buy(shop, 'open-order')).toBe(links[1])
    await account.replay(deliveries[0]!)
    await account.pay(links[1]!)
    expect([await readState(shop, 'paid-order'), await readState(shop, 'open-order')]).toEqual([PAID, PAID])
  })

  test.skipIf(example.isMissing)(
    'fulfills each order once, in whatever format the webhook arrives',
    async () => {
      using folder = temporaryFolder()
      await using sandbox = await startSandbox()
      const account = await sandbox.createAccount()
      await using shop = await startShop(example, account, folder.path, await freePort())

      const states: unknown[] = []
      for (const [index, changes] of behaviors.entries()) {
        await account.behaviors.set({ ...USUAL, ...changes })
        const paid = await account.pay(await buy(shop, `voucher-${index}`))
        await account.cancel(await buy(shop, `cancelled-${index}`))
        states.push([
          changes,
          await readState(shop, `voucher-${index}`),
          await readState(shop, `cancelled-${index}`),
        ])
        expect(await (await fetch(paid.redirect!.location)).text()).toContain('<h1>Your order is paid</h1>')
      }

      expect(states).toEqual(
        behaviors.map((changes) => [changes, PAID, { status: 'cancelled', fulfilled: 0 }]),
      )
    },
  )
})
