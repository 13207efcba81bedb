import { atEvent, hit, press, see, steps } from '../state.js'

/** @typedef {import('../state.js').Given} Given */

const editor = (/** @type {Given} */ { page }) => page.getByRole('region', { name: 'Edit and replay' })
const open = steps(
  ({ page }) => page.getByRole('tab', { name: 'Overview' }).waitFor(),
  hit('e'),
  (given) => editor(given).getByRole('button', { name: /^Send/ }).waitFor(),
)

/**
 * @param {string} name
 * @param {...(given: Given) => unknown} reach
 * @returns {import('../state.js').State}
 */
const replay = (name, ...reach) => ({
  name: `replay-${name}`,
  sandbox: 'own',
  at: atEvent('delivery.attempted', { deliveryId: 1 }),
  reach: steps(open, ...reach),
})

/** @type {(name: string, text: string) => (given: Given) => Promise<void>} */
const write = (name, text) => (given) => editor(given).getByRole('textbox', { name, exact: true }).fill(text)

const send = (/** @type {Given} */ given) => editor(given).getByRole('button', { name: /^Send/ }).click()

/** @type {readonly import('../state.js').State[]} */
export const replayStates = [
  replay('unchanged', see('The same bytes are sent again.')),
  replay(
    'changed',
    write('data[pay_id]', '1001x'),
    write('data[note]', 'A note without an end. '.repeat(10)),
    press('Other amount'),
    press('Cancel'),
    see(/\d changes/),
  ),
  replay('field-removed', press('Remove data[note]'), see(/^removed$/)),
  replay('field-new', press('Add a field')),
  replay('field-added', press('Add a field'), ({ page }) => page.keyboard.type('data[vat]'), hit('Enter')),
  replay('bytes', ({ page }) => page.getByText('Bytes', { exact: true }).click()),
  replay('address-refused', write('To', 'nowhere'), send, see(/should be an absolute/)),
  replay(
    'waiting',
    (given) => write('To', `${given.app}/never`)(given),
    send,
    see(/Waiting for the response/),
  ),
  replay('accepted', press('Other amount'), send, see(/Your app answered 200/)),
  replay('failed', (given) => write('To', `${given.app}/500`)(given), send, see(/database is locked/)),
  replay('twice', press('Twice'), send, see('Your app accepted both.')),
]
