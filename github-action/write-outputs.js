import { appendFileSync, readFileSync } from 'node:fs'

// Writes the outputs of the action, and the same values as variables for the next steps.

const { GITHUB_OUTPUT = '', GITHUB_ENV = '' } = process.env
const [line = ''] = readFileSync(process.argv[2] ?? '', 'utf8').split('\n')
/** @type {{ url: string, accounts: { apiKey: string, recipientToken: string }[] }} */
const { url, accounts } = JSON.parse(line)
const [owner, recipient] = accounts

append(GITHUB_OUTPUT, { url, key: owner?.apiKey, token: recipient?.recipientToken })
append(GITHUB_ENV, {
  PAYLINK_URL: url,
  PAYLINK_API_KEY: owner?.apiKey,
  PAYLINK_RECIPIENT_TOKEN: recipient?.recipientToken,
})

/**
 * @param {string} file
 * @param {Record<string, string | undefined>} values
 */
function append(file, values) {
  for (const [name, value = ''] of Object.entries(values)) appendFileSync(file, `${name}=${value}\n`)
}
