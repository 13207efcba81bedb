import { apiRequest } from './api-requests.js'

/**
 * Calls an operation of the API once. Throws if it is refused.
 *
 * @param {string} url
 * @param {string} operation
 * @param {object} [body] instead of the usual one
 * @returns {Promise<any>} its `data`
 */
export async function callOnce(url, operation, body) {
  const { path, ...request } = apiRequest(operation, 1)
  const answer = await send(`${url}${path}`, { ...request, ...(body && { body: JSON.stringify(body) }) })
  if (answer.ResponseCode !== 1) throw new Error(`${operation} answered ${JSON.stringify(answer)}`)
  return answer.data
}

/**
 * Sends a GET to the control API.
 *
 * @param {string} url
 * @param {string} path
 * @returns {Promise<any>}
 */
export const getControl = (url, path) => send(`${url}/_sandbox/v1${path}`, {})

/**
 * Sends a POST to the control API.
 *
 * @param {string} url
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export const postControl = (url, path, body) =>
  send(`${url}/_sandbox/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/**
 * Waits until every webhook has been delivered.
 *
 * @param {string} url
 */
export const settle = (url) => postControl(url, '/settle', { timeoutMs: 60_000 })

/**
 * @param {string} url
 * @param {RequestInit} request
 */
async function send(url, request) {
  const answer = await fetch(url, request)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
