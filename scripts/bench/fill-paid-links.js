import { join } from 'node:path'
import { fillLinks } from './fill-links.js'
import { startSandbox } from './processes.js'
import { callOnce, postControl } from './requests.js'

/**
 * Creates a database with paid links whose webhooks go to the targets.
 *
 * @param {string} folder
 * @param {readonly string[]} targets
 * @param {number} count
 */
export async function fillPaidLinks(folder, targets, count) {
  const sandbox = await startSandbox(folder)
  const { id } = await callOnce(sandbox.url, 'createLink', {
    amount: 49.9,
    payment_endpoint: targets.join(','),
  })
  await postControl(sandbox.url, `/links/${id}/pay`, { method: 'card' })
  await sandbox.end()
  return fillLinks(join(folder, 'sandbox.db'), count)
}
