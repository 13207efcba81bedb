export const shop = {
  id: '00000000-0000-4000-8000-000000000001',
  apiKey: 'devFlowerShopFakeApiKey00001',
}
export const market = { id: '00000000-0000-4000-8000-000000000003', apiKey: 'devMarketHallFakeApiKey00003' }
export const productionAccount = { id: '00000000-0000-4000-8000-000000000009' }
export const COURIER_TOKEN = 'rcpBikeCourierFakeToken0002'

/**
 * @typedef {Awaited<ReturnType<typeof openSandbox>>} Sandbox
 * @typedef {{ type: string, seq: number, [field: string]: unknown }} Event
 */

/**
 * Starts a sandbox on a free port, with functions for its two APIs.
 *
 * @param {import('../../server/runtime/config/options.ts').SandboxOptions} [options]
 */
export async function openSandbox(options = {}) {
  // The build may not exist before the first sandbox is needed.
  /** @type {typeof import('../../server/runtime/sandbox.ts')} */
  const { runSandbox } = await import(new URL('../../dist/server/sandbox.js', import.meta.url).href)
  const sandbox = await runSandbox({ port: 0, isInContainer: false, ...options })
  const { url } = sandbox

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   */
  async function send(path, init) {
    const response = await fetch(url + path, init)
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }

  /**
   * Calls the emulated API. It may refuse the call.
   *
   * @param {string} operation
   * @param {object} body
   */
  const call = (operation, body, token = shop.apiKey) =>
    send(`/api/v2/${operation}`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async function control(method, path, body) {
    const content = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const { status, json } = await send(`/_sandbox/v1${path}`, { method, ...content })
    if (status >= 400)
      throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(json)}`)
    return json
  }

  /**
   * Creates a split link. Returns its pay_id.
   *
   * @param {object} [fields]
   * @returns {Promise<number>}
   */
  async function createLink(fields = {}) {
    const body = { amount: 100, recipients: [{ token: COURIER_TOKEN, share: 30 }], ...fields }
    const { json } = await call('createSplitLink', body)
    if (json.ResponseCode !== 1) throw new Error(json.ResponseMsg)
    const { links } = await control('GET', '/links?limit=1')
    return links[0].payId
  }

  /**
   * Pays a link, and waits for its webhooks.
   *
   * @param {number} payId
   * @param {object} [how]
   */
  async function pay(payId, how = {}) {
    await control('POST', `/links/${payId}/pay`, how)
    await sandbox.settled()
  }

  /**
   * Finds the newest event of a type with these fields.
   *
   * @param {string} type
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<Event>}
   */
  async function findEvent(type, fields = {}) {
    const { events } = await control('GET', `/events?type=${type}&limit=1000`)
    const eventList = /** @type {Event[]} */ (events)
      .toSorted((one, other) => other.seq - one.seq)
      .find((event) => Object.entries(fields).every(([name, value]) => event[name] === value))
    if (!eventList) throw new Error(`There is no ${type} with ${JSON.stringify(fields)}`)
    return eventList
  }

  return { url, call, control, createLink, pay, findEvent, settled: sandbox.settled, close: sandbox.close }
}
