import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runCommand } from '../install-package.js'

const TEST = `import { startSandbox } from 'paylink-sandbox'

const sandbox = await startSandbox()
const shop = await sandbox.createAccount()
const webhooks = await shop.receiver()
const { link } = await shop.pay(await shop.createLink({ amount: 100 }))
const { form } = await webhooks.next()
await sandbox.close()
if (link.status !== 'paid' || form['data[status]'] !== 'Success') {
  throw new Error('The payment failed: ' + JSON.stringify({ link, form }))
}
`

/**
 * Makes a payment with a webhook in a project, as a test of this project would.
 *
 * @param {string} node
 * @param {string} project
 */
export async function payInTest(node, project) {
  writeFileSync(join(project, 'payment.mjs'), TEST)
  await runCommand(node, ['payment.mjs'], project)
}

/**
 * Starts a sandbox from the command line in a project, and makes a payment with a webhook.
 *
 * @param {string} node
 * @param {string} project
 */
export async function payFromCommandLine(node, project) {
  const cli = join(project, 'node_modules', 'paylink-sandbox', 'dist', 'server', 'cli.js')
  const child = spawn(node, [cli, '--port', '0', '--db', 'sandbox.db', '--json', '--quiet'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'close').then(([code]) => Promise.reject(new Error(`The sandbox exited with ${code}.`))),
    ])
    const { url, accounts } = JSON.parse(line)
    const [shop, courier] = accounts
    const created = await post(
      `${url}/api/v2/createSplitLink`,
      { amount: 100, recipients: [{ token: courier.recipientToken, share: 30 }] },
      { token: shop.apiKey },
    )
    const paid = await post(`${url}/_sandbox/v1/links/${created.data.id}/pay`, {})
    const [delivery] = paid.deliveries
    if (paid.link.status !== 'paid' || delivery.state !== 'delivered') {
      throw new Error(`The first payment failed: ${JSON.stringify(paid)}`)
    }
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  }
}

/**
 * @param {string} url
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 */
async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.json()
}
