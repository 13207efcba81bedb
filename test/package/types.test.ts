import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callerOptions, receiverOptions, sharedOptions } from '../../server/contract/checks/check-options.ts'
import { startOptions, startSandboxOptions } from '../../server/runtime/config/options.ts'
import { installedPath, runInstalled } from '../support/installed.ts'

const RESOLUTIONS = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'preserve', moduleResolution: 'bundler' },
]

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2023',
  noEmit: true,
  allowImportingTsExtensions: true,
}

/** Imports every entry point of the package, and uses a type of each. */
const CONSUMER = `
import { connectSandbox, startSandbox, SandboxError, WaitError } from 'paylink-sandbox'
import type { CallerCheckReport, CheckedOrder, CheckReport, CreatedLink, Envelope, OrderState, Outcome, PaymentLink, Received, Sandbox, SandboxAccount, SeedInput, Webhook } from 'paylink-sandbox'

const seed: SeedInput = {
  accounts: [{ name: 'Bakery', behaviors: { payId: 'distinct' } }],
  links: [{ account: 'Bakery', amount: 12.5, status: 'paid', refund: { state: 'approved' } }],
}

export async function pay(url: string | undefined): Promise<Outcome> {
  const sandbox: Sandbox = url === undefined ? await startSandbox({ port: 0, seed }) : await connectSandbox(url)
  const account: SandboxAccount = await sandbox.createAccount({ behaviors: { payId: 'distinct' } })
  const webhooks = await account.receiver()
  webhooks.reply(500, ({ form }: Received) => ({ body: form['data[note]'] ?? '' }))
  const webhook: Webhook = await account.waitForWebhook({ state: 'failed' })
  if (webhook.httpStatus !== 500) throw new SandboxError('', '', null)
  const orderState = ({ note }: CheckedOrder): OrderState => ({ paid: note === '', times: 1 })
  const report: CheckReport = await sandbox.check(webhooks.url, { only: ['json'], orderState })
  if (report.failed > 0) throw new Error(report.results[0]?.seen)
  const caller: CallerCheckReport = await sandbox.checkCaller('http://localhost:3000/orders', { orderState, skip: ['late'] })
  if (caller.problems.length > 0) throw new Error(caller.problems[0]?.title)
  await sandbox[Symbol.asyncDispose]()
  return account.pay(webhook.linkId ?? 1001, { method: 'bank-transfer' })
}

/** The published declarations must also reject each of these calls. */
export async function mistake(sandbox: Sandbox, shop: SandboxAccount): Promise<unknown> {
  // @ts-expect-error no operation has this name
  await shop.call('refundPaymen', { payid: 1 })
  // @ts-expect-error the field is pay_id
  await shop.call('refundPayment', { payid: 1, refund_amount: 1 })
  // @ts-expect-error the option is distinct
  await shop.behaviors.set({ payId: 'distnct' })
  // @ts-expect-error a rate is by the minute
  await shop.behaviors.set({ rateLimit: '60/hour' })
  // @ts-expect-error it is next-month
  await sandbox.clock.advance({ to: 'next-moth' })
  // @ts-expect-error the outcome is Success
  await shop.waitForWebhook({ status: 'success' })
  // @ts-expect-error the key is payId
  await shop.waitFor({ type: 'link.paid', payid: 7 })
  // @ts-expect-error the handle spells it payLink
  return (await shop.createLink({ amount: 1 })).pay_link
}

export async function spelled(sandbox: Sandbox, shop: SandboxAccount): Promise<string> {
  await shop.behaviors.set({ payId: 'distinct', rateLimit: '60/min', retries: '5s,2m,1h', order: null })
  await sandbox.clock.advance({ to: 'next-month' })
  const { payLink }: PaymentLink = await shop.createLink({ amount: 1, callbackUrl: payLinkOf(undefined) })
  const created = await shop.call('createLink', { amount: 1, callback_url: payLink })
  const { link } = await shop.waitFor({ type: 'link.created', link: { amount: 1 } })
  const wrong: Envelope = await shop.callUnchecked('refundPaymen', { payid: link.payId })
  return created.ResponseCode === 1 ? payLinkOf(created.data) : wrong.ResponseMsg
}

const payLinkOf = (data: CreatedLink | undefined): string => data?.pay_link ?? ''

export const isWait = (error: unknown): error is WaitError => error instanceof WaitError
`

test.each(RESOLUTIONS)(
  'types: a strict project compiles with $moduleResolution, without other type packages',
  async (how) => {
    const folder = project(`types-${how.moduleResolution}`, { ...STRICT, ...how, lib: ['es2023'], types: [] })
    writeFileSync(installedPath(folder, 'consumer.ts'), CONSUMER)

    expect(await runInstalled(folder, ['tsc'])).toEqual({ code: 0, said: '' })
  },
)

test.each([
  { module: 'node16', moduleResolution: 'node16', lib: ['es2020'] },
  { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
])('types: a project with TypeScript 5.0 and $moduleResolution compiles', async (how) => {
  const { allowImportingTsExtensions: _, ...strict } = STRICT
  const folder = project(`types-5.0-${how.moduleResolution}`, {
    ...strict,
    target: 'es2022',
    ...how,
    types: [],
  })
  writeFileSync(installedPath(folder, 'consumer.ts'), CONSUMER)
  const tsc = installedPath('node_modules', 'typescript-5.0', 'bin', 'tsc')

  expect(await runInstalled(folder, [process.execPath, tsc])).toEqual({ code: 0, said: '' })
})

test.each(RESOLUTIONS)(
  'types: the recipes, the shops and their tests compile with $moduleResolution',
  async (how) => {
    const include = ['../shop/**/*.ts', '../shops/**/*.js', '../recipes/*/**/*.ts']
    const options = { ...STRICT, ...how, lib: ['es2023', 'dom', 'esnext.disposable'], types: ['node'] }
    // This recipe compiles itself, after it has generated types.
    const exclude = ['../recipes/openapi-typescript']
    const folder = project(
      `recipes-${how.moduleResolution}`,
      { ...options, allowJs: true, checkJs: true },
      include,
      exclude,
    )

    expect(await runInstalled(folder, ['tsc'])).toEqual({ code: 0, said: '' })
  },
)

test.each([
  ['runtime/config/options', { ...startOptions, ...startSandboxOptions }],
  ['contract/checks/check-options', { ...sharedOptions, ...receiverOptions, ...callerOptions }],
])('types: every option in %s has a comment', (file, options) => {
  const types = installedPath('node_modules', 'paylink-sandbox', 'dist', 'types')
  const declarations = readFileSync(join(types, `${file}.d.ts`), 'utf8')
  const keys = Object.keys(options)
  expect(keys.filter((key) => !new RegExp(`\\*/\\n +(readonly )?${key}\\??:`).test(declarations))).toEqual([])
})

function project(
  name: string,
  compilerOptions: object,
  include: readonly string[] = ['*.ts'],
  exclude: readonly string[] = [],
): string {
  mkdirSync(installedPath(name))
  writeFileSync(installedPath(name, 'tsconfig.json'), JSON.stringify({ compilerOptions, include, exclude }))
  return name
}
