import { fill, hit, press, see, steps } from '../state.js'

/** @type {readonly import('../state.js').State[]} */
export const timelineStates = [
  { name: 'timeline-empty', sandbox: 'empty', at: '/#/timeline', reach: see('No requests yet') },
  {
    name: 'timeline-empty-app-unreachable',
    sandbox: 'empty',
    at: '/#/timeline',
    reach: steps(fill('Address of your app', 'http://127.0.0.1:9/'), press('Test'), see(/^No response: /)),
  },
  {
    name: 'timeline-empty-app-reachable',
    sandbox: 'empty',
    at: '/#/timeline',
    reach: steps(
      (given) => fill('Address of your app', `${given.app}/webhooks`)(given),
      press('Test'),
      see(/^Reachable/),
    ),
  },
  {
    name: 'timeline-first-steps',
    sandbox: 'empty',
    at: '/#/timeline',
    reach: steps(
      press('Load a sample story'),
      see('Order 4: wedding table'),
      see('Your first payment: 2 of 4. Next: replay its webhook'),
    ),
  },
  {
    name: 'timeline-first-steps-open',
    sandbox: 'empty',
    at: '/#/timeline',
    reach: steps(press('Load a sample story'), async ({ page }) => {
      await page.getByText('Your first payment: 2 of 4.').click()
      await page.getByText('Point webhooks at your app').waitFor()
    }),
  },
  {
    name: 'timeline-connecting',
    at: async ({ page }) => {
      await page.routeWebSocket(/stream/, () => undefined)
      return '/#/timeline'
    },
    reach: see('Connecting…'),
  },
  { name: 'timeline-all', at: '/#/timeline', reach: see('Order 25, the newest') },
  {
    name: 'timeline-top',
    at: '/#/timeline',
    eachWidth: true,
    reach: steps(hit('Home'), ({ page }) =>
      page.getByRole('grid').evaluate((grid) => {
        grid.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }))
        grid.scrollTop = 0
      }),
    ),
  },
  { name: 'timeline-filtered', at: '/#/timeline?q=kind:webhook is:failed,retried', reach: see(/302/) },
  { name: 'timeline-nothing-found', at: '/#/timeline?q=failed nothing', reach: see(/^No event contains/) },
  { name: 'timeline-unknown-term', at: '/#/timeline?q=kind:webhok', reach: see('There is no kind:webhok.') },
  { name: 'timeline-text-in-bodies', at: '/#/timeline?q=database is locked', reach: see(/503/) },
  {
    name: 'timeline-suggestions',
    at: '/#/timeline',
    reach: async ({ page }) => {
      await page.getByRole('combobox').focus()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'timeline-suggestion-chosen',
    at: '/#/timeline',
    reach: async ({ page }) => {
      await page.getByRole('combobox').fill('kind:')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
    },
  },
  { name: 'timeline-order-found', at: '/#/timeline?q=order 15', reach: see(/Order 15/) },
  { name: 'timeline-corrected', at: '/#/timeline?q=ordr 15', reach: see(/^Nothing contains/) },
  {
    name: 'timeline-paused',
    sandbox: 'own',
    at: '/#/timeline',
    reach: async ({ page, sandbox }) => {
      await page.keyboard.press('p')
      await sandbox.createLink({ recipient_note: 'while paused' })
      await page.getByText(/[1-9] new events? not shown/).waitFor()
    },
  },
  {
    name: 'timeline-new-events',
    sandbox: 'own',
    at: '/#/timeline',
    reach: async ({ page, sandbox }) => {
      await page.getByRole('grid').hover()
      await page.mouse.wheel(0, -600)
      await page.getByRole('switch', { name: 'Follow newest', checked: false }).waitFor()
      await sandbox.createLink({ recipient_note: 'newer' })
      await page.getByText(/^\d+ new$/).waitFor()
    },
  },
  {
    name: 'timeline-row-menu',
    at: '/#/timeline?q=kind:webhook',
    eachWidth: true,
    reach: async ({ page }) => {
      const row = page.getByRole('row', { name: /webhook/ }).last()
      await row.waitFor()
      await row.click({ button: 'right' })
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'timeline-strip-range',
    at: '/#/timeline',
    reach: async ({ page }) => {
      const slider = page.getByRole('slider', { name: 'Time range' })
      const { x, y, width } = /** @type {{ x: number, y: number, width: number }} */ (
        await slider.boundingBox()
      )
      await page.mouse.move(x + width * 0.3, y + 20)
      await page.mouse.down()
      await page.mouse.move(x + width * 0.7, y + 20)
      await page.mouse.up()
      await page.waitForURL(/range=/)
    },
  },
  {
    name: 'timeline-utc',
    at: '/#/timeline',
    reach: press('Time zone: local'),
  },
  {
    name: 'timeline-imported',
    sandbox: 'own',
    at: '/#/timeline?q=is:different',
    reach: async ({ page, sandbox }) => {
      const har = await (await fetch(`${sandbox.url}/_sandbox/v1/export.har`)).text()
      const dropped = await page.evaluateHandle((text) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text], 'checkout.har'))
        return transfer
      }, har)
      await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
      await page.getByText(/calls imported/).waitFor()
    },
  },
]
