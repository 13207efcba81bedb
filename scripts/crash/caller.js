import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import seed from '../../fixtures/seed.json' with { type: 'json' }

const MAX_SHOWN_CHARACTERS = 300
/** How long to wait before a request is sent again. */
const AGAIN_MS = 100
const KEY = seed.accounts[0]?.apiKey ?? ''

/** @typedef {{ status: number, text: string, body: any } | undefined} Answer `undefined`: there was none */
/**
 * What an answer means. `again`: nothing was done, and the request can be sent again. `unknown`: like no answer.
 *
 * @typedef {'answer' | 'again' | 'unknown'} Meaning
 */

/**
 * Sends requests to one run of a sandbox. A request without an answer is not an error, because the sandbox may be killed.
 *
 * @param {string} url
 * @param {(isAnswered: boolean) => void} onAnswer called after every request
 * @param {(problem: string) => void} onUnexpected called with every unexpected answer
 * @param {(answer: NonNullable<Answer>) => Meaning} [meaningOf]
 */
export function createCaller(url, onAnswer, onUnexpected, meaningOf = () => 'answer') {
  const pool = new Pool(url, { connections: 16 })

  /**
   * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {string} body
   * @param {(answer: NonNullable<Answer>) => boolean} isExpected
   * @returns {Promise<Answer>}
   */
  async function send(method, path, headers, body, isExpected) {
    const answer = await sendOnce(method, path, headers, body)
    onAnswer(answer !== undefined)
    if (answer && !isExpected(answer)) {
      onUnexpected(
        `${method} ${path} ${body} was answered with ${answer.status}: ${answer.text.slice(0, MAX_SHOWN_CHARACTERS)}`,
      )
    }
    return answer
  }

  /**
   * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {string} body
   * @returns {Promise<Answer>}
   */
  async function sendOnce(method, path, headers, body) {
    try {
      for (;;) {
        const response = await pool.request({ method, path, headers, body: body === '' ? null : body })
        const text = await response.body.text()
        const answer = { status: response.statusCode, text, body: parseJson(text) }
        const meaning = meaningOf(answer)
        if (meaning !== 'again') return meaning === 'answer' ? answer : undefined
        await pause(AGAIN_MS)
      }
    } catch {
      return undefined
    }
  }

  return {
    /**
     * @param {string} operation
     * @param {object} body
     * @param {readonly string[]} [refusals] refusals that are expected too
     */
    api: (operation, body, refusals = []) =>
      send(
        'POST',
        `/api/v2/${operation}`,
        { token: KEY, 'content-type': 'application/json' },
        JSON.stringify(body),
        (answer) =>
          answer.status === 200 &&
          (answer.body?.ResponseCode === 1 || refusals.includes(answer.body?.ResponseMsg)),
      ),
    /**
     * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
     * @param {string} path
     * @param {object} [body]
     * @param {readonly number[]} [refusals] refusals that are expected too
     */
    control: (method, path, body, refusals = []) =>
      send(
        method,
        `/_sandbox/v1${path}`,
        body === undefined ? {} : { 'content-type': 'application/json' },
        body === undefined ? '' : JSON.stringify(body),
        ({ status }) => status < 300 || refusals.includes(status),
      ),
    /**
     * @param {string} path
     * @param {Record<string, string>} fields
     * @param {readonly number[]} [refusals] refusals that are expected too
     */
    submit: (path, fields, refusals = []) =>
      send(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams(fields).toString(),
        ({ status }) => status < 400 || refusals.includes(status),
      ),
    close: () => pool.destroy(),
  }
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @typedef {ReturnType<typeof createCaller>} Caller */
