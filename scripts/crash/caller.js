import { Pool } from 'undici'
import seed from '../../fixtures/seed.json' with { type: 'json' }

const KEY = seed.accounts[0]?.apiKey ?? ''

/** @typedef {{ status: number, text: string, body: any } | undefined} Answer nothing where no answer came */

/**
 * Calls one life of a sandbox. Whatever is lost on the way is no failure of the caller.
 *
 * @param {string} url
 * @param {(isAnswered: boolean) => void} heard
 */
export function createCaller(url, heard) {
  const pool = new Pool(url, { connections: 16 })

  /**
   * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {string} [body]
   * @returns {Promise<Answer>}
   */
  async function send(method, path, headers, body) {
    try {
      const response = await pool.request({ method, path, headers, body: body ?? null })
      const text = await response.body.text()
      heard(true)
      const isJson = String(response.headers['content-type']).includes('json')
      return { status: response.statusCode, text, body: isJson ? JSON.parse(text) : undefined }
    } catch {
      heard(false)
      return undefined
    }
  }

  return {
    /**
     * @param {string} operation
     * @param {object} body
     */
    api: (operation, body) =>
      send(
        'POST',
        `/api/v2/${operation}`,
        { token: KEY, 'content-type': 'application/json' },
        JSON.stringify(body),
      ),
    /**
     * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
     * @param {string} path
     * @param {object} [body]
     */
    control: (method, path, body) =>
      send(
        method,
        `/_sandbox/v1${path}`,
        body === undefined ? {} : { 'content-type': 'application/json' },
        body === undefined ? undefined : JSON.stringify(body),
      ),
    /**
     * @param {string} path
     * @param {Record<string, string>} fields
     */
    submit: (path, fields) =>
      send(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams(fields).toString(),
      ),
    close: () => pool.destroy(),
  }
}

/** @typedef {ReturnType<typeof createCaller>} Caller */
