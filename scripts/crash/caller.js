import { Pool } from 'undici'
import seed from '../../fixtures/seed.json' with { type: 'json' }

const SHOWN_CHARACTERS = 300
const KEY = seed.accounts[0]?.apiKey ?? ''

/** @typedef {{ status: number, text: string, body: any } | undefined} Answer nothing where no answer came */

/**
 * Calls one life of a sandbox. Whatever is lost on the way is no failure of the caller; an answer that nobody expects is
 * told to `unexpected`.
 *
 * @param {string} url
 * @param {(isAnswered: boolean) => void} onAnswer
 * @param {(what: string) => void} onUnexpected
 */
export function createCaller(url, onAnswer, onUnexpected) {
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
        `${method} ${path} ${body} was answered with ${answer.status}: ${answer.text.slice(0, SHOWN_CHARACTERS)}`,
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
      const response = await pool.request({ method, path, headers, body: body === '' ? null : body })
      const text = await response.body.text()
      return { status: response.statusCode, text, body: parseJson(text) }
    } catch {
      return undefined
    }
  }

  return {
    /**
     * @param {string} operation
     * @param {object} body
     * @param {readonly string[]} [refusals] what it may be refused with
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
     * @param {readonly number[]} [refusals] what it may be refused with
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
     * @param {readonly number[]} [refusals] what it may be refused with
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
