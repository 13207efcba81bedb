import type { Exchange } from '../../domain/http/exchange.ts'
import { portOf } from '../../domain/network/urls.ts'
import {
  commentLine,
  makesOrder,
  preparation,
  type FailureTest,
  type LinkAction,
  type TestStep,
} from './failure-test.ts'
import { keyOf, literal } from './literal.ts'

/** Writes a failure as a test for Vitest. It needs only the packages `paylink-sandbox` and `vitest`. */
export function writeVitest(failure: FailureTest): string {
  const { name, title, about, sandbox, steps } = failure
  const { seed, maps, allowedHosts, url } = sandbox
  const needsAccount = steps.some(({ kind }) => kind !== 'check' && kind !== 'clock' && kind !== 'call')
  const modules = steps.flatMap((step) => (step.kind === 'check' && step.module ? [step.module] : []))
  const options = {
    ...(url !== null && { port: portOf(new URL(url)) }),
    ...(maps.length > 0 && { maps: Object.fromEntries(maps.map(({ from, to }) => [from, to])) }),
    ...(allowedHosts.length > 0 && { allowedHosts }),
    ...(Object.keys(seed).length > 0 && { seed }),
  }
  return [
    ...about.map((line) => `// ${commentLine(line)}`.trimEnd()),
    '//',
    ...preparation(url, 'test').map((line) => `// ${line}`),
    ...(makesOrder(failure)
      ? [
          '//',
          '// ORDER_URL is the address in your app that places an order on POST, with the body ORDER_BODY. Without it, the test',
          '// creates the payment link itself, and your app does not know the order.',
        ]
      : []),
    '//',
    `// npx vitest run ${name}`,
    `import { startSandbox${makesOrder(failure) ? ', type SandboxAccount' : ''} } from 'paylink-sandbox'`,
    "import { expect, test } from 'vitest'",
    ...modules.map((module) => `import appFunctions from ${literal(module)}`),
    '',
    '/** The account, the clock and the behaviors of the failure. */',
    `const options = ${literal(options)}`,
    ...(makesOrder(failure) ? ['', ...createOrderFunction(steps)] : []),
    '',
    `test(${literal(title)}, async () => {`,
    '  await using sandbox = await startSandbox(options)',
    ...(needsAccount ? [`  const account = await sandbox.account(${literal(seed.accounts?.[0]?.id)})`] : []),
    ...steps.flatMap((step) => stepLines(step)).map((line) => `  ${line}`.trimEnd()),
    `}, ${TIMEOUT})`,
    '',
  ].join('\n')
}

/** Longer than Vitest's default of five seconds, which would end the check. */
const TIMEOUT = '300_000'

function createOrderFunction(steps: readonly TestStep[]): string[] {
  const created = steps.find((step) => step.kind === 'create')!
  return [
    '/** Lets the app place the order, or creates its payment link. */',
    'async function placeOrder(account: SandboxAccount) {',
    "  const { ORDER_URL, ORDER_BODY = '{}' } = process.env",
    `  if (!ORDER_URL) return account.createLink(${literal(created.fields, '  ')})`,
    "  const type = ORDER_BODY.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'",
    '  const [before] = await account.links({ limit: 1 })',
    '  await fetch(ORDER_URL, {',
    "    method: 'POST',",
    '    body: ORDER_BODY,',
    "    headers: { 'content-type': type },",
    "    redirect: 'manual',",
    '  })',
    '  const [link] = await account.links({ limit: 1 })',
    '  if (!link || link.id === before?.id) throw new Error(`${ORDER_URL} created no payment link.`)',
    '  return link',
    '}',
  ]
}

function stepLines(step: TestStep): string[] {
  switch (step.kind) {
    case 'check':
      return checkLines(step)
    case 'fault': {
      const line = `await account.faults.add(${literal({ on: step.on, script: step.script })})`
      return [step.isOfApp ? `if (process.env.ORDER_URL) ${line}` : line]
    }
    case 'create':
      return ['const link = await placeOrder(account)']
    case 'pay': {
      const options = literal({
        ...(step.method !== 'card' && { method: step.method }),
        ...(step.browser !== 'returns' && { browser: step.browser }),
      })
      return visited(`account.pay(link${options === '{}' ? '' : `, ${options}`})`, step.returns)
    }
    case 'cancel': {
      const options = step.browser === 'returns' ? '' : ", { browser: 'closes' }"
      return visited(`account.cancel(link${options})`, step.returns)
    }
    case 'act':
      return [`await ${ACTIONS[step.action]}`]
    case 'refund': {
      const { amount, full } = step
      const fields = `pay_id: link.payId, refund_amount: ${amount}, isFullRefund: ${full}`
      return [`expect(await account.call('refundPayment', { ${fields} })).toMatchObject({ ResponseCode: 1 })`]
    }
    case 'resend':
      return [
        `await account.call('sendWebhookViaPayId', { pay_ids: String(link.payId), status: ${literal(step.status)} })`,
        'await account.settled()',
      ]
    case 'replay':
      return ['await account.replay((await account.deliveries({ link, limit: 1 }))[0]!)']
    case 'forge':
      return [`await account.forge(link, ${literal({ forgery: step.forgery, status: step.status })})`]
    case 'clock':
      return [
        step.mode === 'frozen'
          ? `await sandbox.clock.freeze(${literal(step.now)})`
          : `await sandbox.clock.set(${literal(step.now)})`,
      ]
    case 'call':
      return callLines(step.request)
    case 'expect-delivered':
      return [
        'await account.settled()',
        'const deliveries = await account.deliveries({ link })',
        "expect(deliveries.filter(({ state }) => state !== 'delivered')).toEqual([])",
      ]
  }
}

const ACTIONS: Readonly<Record<LinkAction, string>> = {
  decline: 'account.decline(link)',
  deleteLink: 'account.deleteLink(link)',
  approveTransfer: 'account.approveTransfer(link)',
  rejectTransfer: 'account.rejectTransfer(link)',
  approveRefund: 'account.refunds.approve(link)',
  rejectRefund: 'account.refunds.reject(link)',
  openDispute: 'account.dispute.open(link)',
  winDispute: "account.dispute.close(link, 'won')",
  loseDispute: "account.dispute.close(link, 'lost')",
}

/** Opens the page of the shop, as the customer's browser does. */
const visited = (action: string, returns: boolean): string[] =>
  returns
    ? [
        `const { redirect } = await ${action}`,
        "const page = await fetch(redirect!.location, { redirect: 'manual' })",
        'expect(page.status).toBeLessThan(500)',
      ]
    : [`await ${action}`]

function checkLines({ isCaller, url, options, module }: Extract<TestStep, { kind: 'check' }>): string[] {
  return [
    `const { results } = await sandbox.${isCaller ? 'checkCaller' : 'check'}(${literal(url)}, {`,
    ...(module === undefined
      ? []
      : ["  ...(typeof appFunctions === 'function' ? { orderState: appFunctions } : appFunctions),"]),
    ...Object.entries(options).flatMap(([name, value]) =>
      `  ${keyOf(name)}: ${literal(value, '  ')},`.split('\n'),
    ),
    '})',
    "expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])",
  ]
}

/** Headers that `fetch` sets itself. */
const OWN_HEADERS = /^(host|content-length|connection|transfer-encoding|accept-encoding|keep-alive)$/i

function callLines({ method, url, headers, body }: Exchange['request']): string[] {
  const { pathname, search } = new URL(url)
  const content =
    body.encoding === 'base64'
      ? `Uint8Array.from(atob(${literal(body.content)}), (byte) => byte.charCodeAt(0))`
      : literal(body.content)
  return [
    `const response = await fetch(sandbox.url + ${literal(pathname + search)}, {`,
    `  method: ${literal(method)},`,
    '  headers: [',
    ...headers
      .filter(([name]) => !OWN_HEADERS.test(name))
      .map(([name, value]) => `    [${literal(name)}, ${literal(value)}],`),
    '  ],',
    ...(body.size > 0 ? [`  body: ${content},`] : []),
    '})',
    'expect(await response.json()).toMatchObject({ ResponseCode: 1 })',
  ]
}
