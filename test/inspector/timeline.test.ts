import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { openPage } from '../support/browser.ts'
import { inspectorOn } from '../support/inspector.ts'
import { fillJournal } from '../../scripts/bench/fill-journal.js'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'
import { test } from '../support/test.ts'

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

let orders = 0

/** Each call has its own note, because repeated calls would cause a diagnostic with its own row. */
async function makeCalls(sandbox: OpenSandbox, count: number): Promise<void> {
  for (let call = 0; call < count; call++) await sandbox.createLink({ recipient_note: `Order ${orders++}` })
}

test('a new call appears without a reload', async ({ sandbox, page, inspector }) => {
  await inspector.open(sandbox.url)

  await sandbox.call('createSplitLink', { amount: 0 })
  await inspector.row(/✕ 200 · code 0.* createSplitLink/).waitFor()
  expect(await page.title()).toBe('Timeline · paylink-sandbox')
})

test('new rows do not replace the elements of others', async ({ sandbox, page, inspector }) => {
  await inspector.open(sandbox.url)
  // More rows than the list renders at the same time.
  await makeCalls(sandbox, 60)
  await expect.poll(inspector.rowCount).toBe(61)
  await expect.poll(inspector.isAtEnd).toBe(true)
  const rows = page.locator('.rows [role=row]')
  const [id, newest] = [await rows.last().getAttribute('id'), await rows.last().elementHandle()]

  await makeCalls(sandbox, 3)
  await expect.poll(() => rows.last().getAttribute('id')).not.toBe(id)
  expect(await newest!.evaluate((row) => [row.id, row.isConnected])).toEqual([id, true])
})

const EVENTS = sized({ full: 100_000, small: 10_000 })

test(`a journal of ${EVENTS} events is rendered one screen at a time, and never blank`, async ({
  folder,
  page,
  inspector,
}) => {
  const db = join(folder.path, 'sandbox.db')
  await (await openSandbox({ db })).close()
  fillJournal(db, EVENTS)
  await using sandbox = await openSandbox({ db, keep: 0 })

  // Checks in every frame whether existing rows are still visible.
  await page.addInitScript(() => {
    const seen = { blank: 0, rows: 0 }
    Object.assign(globalThis, { seen })
    const look = () => {
      const grid = document.querySelector('[role=grid]')
      const rows = [...document.querySelectorAll('.rows [role=row]')]
      seen.rows = Math.max(seen.rows, rows.length)
      const box = grid?.getBoundingClientRect()
      const isSeen = rows.some((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return box !== undefined && bottom > box.top && top < box.bottom
      })
      if (Number(grid?.getAttribute('aria-rowcount') ?? 0) > 1 && !isSeen) seen.blank += 1
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await inspector.open(sandbox.url)
  // The two starts add two rows to the journal, and its limit deletes the oldest events in steps of 5000.
  await expect.poll(inspector.rowCount).toBeGreaterThanOrEqual(EVENTS - 5_000)
  await expect.poll(inspector.isAtEnd).toBe(true)

  for (let step = 0; step <= 40; step++) {
    await inspector.grid.evaluate((grid, part) => {
      grid.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }))
      grid.scrollTop = grid.scrollHeight * (1 - part)
      return new Promise((resolve) => requestAnimationFrame(resolve))
    }, step / 40)
  }
  expect(await inspector.scrollTop()).toBe(0)
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: object }).seen)
  expect(seen).toEqual({ blank: 0, rows: expect.any(Number) })
  expect((seen as { rows: number }).rows).toBeLessThan(100)

  await page.keyboard.press('/')
  await page.keyboard.insertText('is:failed')
  await page.getByText(/of \d+,\d{3}$/).waitFor()
  await inspector
    .row(/Please enter amount/)
    .first()
    .waitFor()
})

test.for<[how: string, release: (page: Page) => Promise<void>]>([
  [
    'a selection',
    (page) =>
      page
        .getByRole('row', { name: /createSplitLink/ })
        .last()
        .click(),
  ],
  [
    'the wheel',
    async (page) => {
      await page.getByRole('grid').hover()
      await page.mouse.wheel(0, -300)
    },
  ],
  ['an arrow key', (page) => page.getByRole('grid').press('ArrowUp')],
  ['a key that only scrolls', (page) => page.getByRole('grid').press('Shift+Space')],
])(
  'after %s, the list no longer follows new rows, and nothing moves until g is pressed',
  async ([_how, release], { sandbox, page, inspector }) => {
    // More rows than fit into the window.
    await makeCalls(sandbox, 40)
    await inspector.open(sandbox.url)
    await expect.poll(inspector.isAtEnd).toBe(true)

    await release(page)
    const follow = page.getByRole('switch', { name: 'Follow newest' })
    await page.getByRole('switch', { name: 'Follow newest', checked: false }).waitFor()
    // The wheel scrolls smoothly over several frames.
    let place = -1
    await expect.poll(async () => place === (place = await inspector.scrollTop())).toBe(true)
    const url = page.url()

    await Promise.all([makeCalls(sandbox, 40), makeCalls(sandbox, 40)])
    await expect.poll(inspector.rowCount).toBe(121)
    expect(await inspector.scrollTop()).toBe(place)
    expect(page.url()).toBe(url)

    await follow.getByText('80 new').waitFor()
    // The switch stands above the list, so it covers no row.
    const [list, button] = [(await inspector.grid.boundingBox())!, (await follow.boundingBox())!]
    expect(button.y + button.height).toBeLessThanOrEqual(list.y)
    await page.keyboard.press('g')
    expect(await follow.getAttribute('aria-checked')).toBe('true')
    await expect.poll(inspector.isAtEnd).toBe(true)
    await makeCalls(sandbox, 5)
    await expect.poll(inspector.rowCount).toBe(126)
    await expect.poll(inspector.isAtEnd).toBe(true)
  },
)

test('a paused view does not change, counts new events, and shows them after the pause', async ({
  sandbox,
  page,
  inspector,
}) => {
  await makeCalls(sandbox, 3)
  await inspector.open(sandbox.url)
  await expect.poll(inspector.rowCount).toBe(4)

  await page.keyboard.press('p')
  await makeCalls(sandbox, 4)
  // The call has a finding, which has no row of its own in the list.
  await sandbox.call('createLnk', {})
  await page.getByText('Paused. The sandbox keeps running: 5 new events not shown.').waitFor()
  expect(await inspector.rowCount()).toBe(4)
  await page.keyboard.press('p')
  await expect.poll(inspector.rowCount).toBe(9)
})

test('the names of days follow the time zone of the computer', async ({ sandbox, page, inspector }) => {
  await sandbox.control('PUT', '/clock', { now: '2026-07-01T23:30:00Z', mode: 'frozen' })
  await makeCalls(sandbox, 1)
  const devtools = await page.context().newCDPSession(page)
  const moveTo = (timezoneId: string) => devtools.send('Emulation.setTimezoneOverride', { timezoneId })
  await moveTo('UTC')
  await inspector.open(sandbox.url)
  await page.getByText('1 July, today').first().waitFor()

  await moveTo('Asia/Tokyo')
  await page.getByText('2 July, today').first().waitFor()
})

test('pausing shows the events that had arrived before the pause', async ({ sandbox, page, inspector }) => {
  await inspector.open(sandbox.url)
  await makeCalls(sandbox, 1)
  await expect.poll(inspector.rowCount).toBe(2)
  // The page draws no frame now, so it does not show the next event yet.
  await page.evaluate(() => {
    const received = new Promise<void>((resolve) => {
      const { prototype } = MessageEvent
      const data = Object.getOwnPropertyDescriptor(prototype, 'data')!
      Object.defineProperty(prototype, 'data', {
        get(this: MessageEvent) {
          const value: unknown = data.get!.call(this)
          if (String(value).includes('"events"')) resolve()
          return value
        },
      })
    })
    Object.assign(globalThis, { received, requestAnimationFrame: () => 0 })
  })
  await makeCalls(sandbox, 1)
  await page.evaluate(() => (globalThis as unknown as { received: Promise<void> }).received)
  await page.keyboard.press('p')
  await page.getByText('0 new events not shown').waitFor()
  await expect.poll(inspector.rowCount).toBe(3)
})

test('a paused view of findings counts the findings that it misses', async ({ sandbox, page, inspector }) => {
  await inspector.open(sandbox.url, '#/timeline?q=kind:diagnostic')
  await page.keyboard.press('p')
  await sandbox.call('createLnk', {})
  await page.getByText('2 new events not shown').waitFor()
})

test.skipIf(process.platform === 'win32')(
  'a webhook can be found, read, replayed with changes and copied by keyboard only',
  async ({ receiver }) => {
    await using sandbox = await openSandbox({ behaviors: { webhookEncoding: 'json' } })
    await sandbox.createLink({ payment_endpoint: receiver.url, recipient_note: `it's $(id) \`id\` "q" \\` })
    await sandbox.control('POST', '/links/1001/pay')
    await makeCalls(sandbox, 5)
    const page = await openPage(clipboard)
    const inspector = inspectorOn(page)
    await inspector.open(sandbox.url)

    await page.keyboard.press('/')
    await page.keyboard.type('kind:webhook')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await inspector.details.getByText(receiver.url).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('details')

    await page.keyboard.press('r')
    await receiver.count(2)
    expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body)

    await page.keyboard.press('c')
    await expect.poll(() => readClipboard(page)).toContain('curl')
    await promisify(execFile)('sh', ['-c', await readClipboard(page)])
    await receiver.count(3)
    expect(receiver.received[2]!.body).toBe(receiver.received[0]!.body)

    const changed = `{"it's": "$(id)",\n "more": 'not JSON' \`id\`}\n`
    await page.keyboard.press('e')
    await page.getByRole('radio', { name: 'Fields' }).press('ArrowRight')
    await page.getByRole('textbox', { name: /Body/ }).fill(changed)
    await page.getByText('This is not JSON.').waitFor()
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    await receiver.count(4)
    expect(receiver.received[3]!.body).toBe(changed)

    // The row of the replay names its original.
    await page
      .getByRole('region', { name: 'Response' })
      .getByRole('link', { name: /^Event/ })
      .press('Enter')
    await inspector.details
      .getByText(/^replay of/)
      .first()
      .waitFor()
    await page.keyboard.press('c')
    await expect.poll(() => readClipboard(page)).toContain('not JSON')
    await promisify(execFile)('sh', ['-c', await readClipboard(page)])
    await receiver.count(5)
    expect(receiver.received[4]!.body).toBe(changed)
  },
)

test('a replay can be shown before the stream announces it', async ({
  sandbox,
  receiver,
  page,
  inspector,
}) => {
  let isHeld = false
  const held: (() => void)[] = []
  await page.routeWebSocket(/stream/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  await inspector.open(sandbox.url)
  await inspector.row(/webhook/).click()
  isHeld = true
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByRole('button', { name: 'Show' }).click()
  await receiver.count(2)
  isHeld = false
  for (const send of held) send()

  await inspector.details
    .getByText(/^replay of/)
    .first()
    .waitFor()
})

test('bytes that are copied by keyboard while they load are copied once they are loaded', async ({
  sandbox,
}) => {
  await sandbox.createLink({ recipient_note: 'in time' })
  const page = await openPage(clipboard)
  const inspector = inspectorOn(page)
  await inspector.open(sandbox.url)
  const asked = new Promise<Route>((resolve) => void page.route(/\/events\/\d+$/, resolve))

  await inspector.row(/createSplitLink/).click()
  const held = await asked
  await page.keyboard.press('c')
  await held.continue()

  await expect.poll(() => readClipboard(page)).toContain('in time')
})

test('holding a key down replays the webhook once', async ({ receiver, sandbox, page, inspector }) => {
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  await inspector.open(sandbox.url)
  await inspector.row(/webhook/).click()

  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('r')
  await page.keyboard.up('r')
  await inspector.row(/replay of delivery 1/).waitFor()
  await page.keyboard.press('r')
  await receiver.count(3)
  await sandbox.settled()
  expect(receiver.received).toHaveLength(3)
})

test('the attempts and replays of a webhook are listed with their status', async ({
  sandbox,
  page,
  inspector,
}) => {
  await using receiver = await startReceiver((received, response) => {
    response.statusCode = received.path.includes('fail') ? 500 : 200
    response.end()
  })
  await sandbox.createLink({ payment_endpoint: `${receiver.origin}/fail` })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/deliveries/1/replay', { to: `${receiver.origin}/fine` })
  await inspector.open(sandbox.url)
  await inspector.row(/✕ 500/).click()
  await page.getByRole('tab', { name: 'Attempts' }).click()

  const panel = page.getByRole('tabpanel')
  await panel.getByText('✕ 500').waitFor()
  await panel.getByRole('table', { name: 'Replay, delivery 2' }).getByText('✓ 200').waitFor()
  await panel.getByText('No automatic retry follows.').waitFor()
})

test('a link to an event restores screen, event and filter in a new tab, and Back leaves it', async ({
  sandbox,
}) => {
  await makeCalls(sandbox, 3)
  const page = await openPage(clipboard)
  const inspector = inspectorOn(page)
  await inspector.open(sandbox.url, '#/timeline?q=kind:api')
  await inspector.row(/createSplitLink.*1002/).click()
  const address = page.url()
  await page.goBack()
  await inspector.details.waitFor({ state: 'hidden' })
  expect(await page.getByRole('combobox').inputValue()).toBe('kind:api')

  const other = await openPage()
  await other.goto(address)
  await inspectorOn(other).details.getByText('createSplitLink').first().waitFor()
  expect(await other.getByRole('combobox').inputValue()).toBe('kind:api')

  await inspectorOn(other).open(sandbox.url, '#/timeline/4711')
  await other.reload()
  await other.getByRole('heading', { name: 'Event 4711 is not in this journal' }).waitFor()
})

test('at an unknown address, the inspector suggests the screen with the most similar name, until the next navigation', async ({
  sandbox,
  page,
  inspector,
}) => {
  const message = page.getByText('There is no screen')
  await inspector.open(sandbox.url, '#/acounts')
  await page.getByText('There is no screen “acounts”. Did you mean Accounts?').waitFor()
  expect(new URL(page.url()).hash).toBe('#/timeline')
  await page.evaluate(() => (location.hash = '#/payments/review'))
  await message.waitFor({ state: 'detached' })
  await page.goBack()
  await expect.poll(() => page.title()).toBe('Timeline · paylink-sandbox')
  expect(await message.count()).toBe(0)

  await page.evaluate(() => (location.hash = '#/Tunels/7'))
  await page.getByRole('button', { name: 'Open Tunnels' }).click()
  await message.waitFor({ state: 'detached' })
  expect(new URL(page.url()).hash).toBe('#/connect/tunnels')

  await page.evaluate(() => (location.hash = '#/xylophone'))
  await page.getByText('There is no screen “xylophone”. This is Timeline.').waitFor()
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
  expect(await message.count()).toBe(0)
})

test.for([
  ['#/connect/tunels', 'Connect has no “tunels”. Did you mean Tunnels?', '#/connect', '#/connect/tunnels'],
  ['#/test/map', 'Test has no “map”. Did you mean Maps?', '#/test', '#/connect/maps'],
  ['#/payments/reveiw', 'Payments has no “reveiw”. Did you mean Review?', '#/payments', '#/payments/review'],
  ['#/connect/xylophone', 'Connect has no “xylophone”. This is Accounts.', '#/connect', undefined],
  ['#/timeline/xylophone', 'Timeline has no “xylophone”. This is Timeline.', '#/timeline', undefined],
] as const)(
  'the inspector names the unknown part of %s once',
  async ([hash, text, opened, nearest], { sandbox, page, inspector }) => {
    await inspector.open(sandbox.url, hash)
    await page.getByText(text).waitFor()
    expect(new URL(page.url()).hash).toBe(opened)

    if (nearest)
      await page.getByRole('button', { name: /^Open (Tunnels|Maps|Review)$/ }).dispatchEvent('click')
    else await page.evaluate(() => (location.hash = '#/overview'))
    await page.getByText(text).waitFor({ state: 'detached' })
    if (nearest) expect(new URL(page.url()).hash).toBe(nearest)
  },
)

test('an address of an earlier version of the inspector leads to the new address', async ({
  sandbox,
  page,
  inspector,
}) => {
  await inspector.open(sandbox.url, '#/maps')
  await page.getByRole('region', { name: 'Maps' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#/connect/maps')
  expect(await page.title()).toBe('Connect: Maps · paylink-sandbox')
})

test('the title and the icon of the page count the payments that have not reached the app', async ({
  receiver,
  sandbox,
  page,
  inspector,
}) => {
  const icon = () => page.locator('link[rel=icon]').getAttribute('href')
  await inspector.open(sandbox.url)
  const before = await icon()
  await sandbox.createLink({ payment_endpoint: 'http://127.0.0.1:9/closed' })
  await sandbox.control('POST', '/links/1001/pay')
  await expect.poll(() => page.title()).toBe('(1) Timeline · paylink-sandbox')
  expect(await icon()).not.toBe(before)
  await page.evaluate(() => (location.hash = '#/payments'))
  await expect.poll(() => page.title()).toBe('(1) Payments · paylink-sandbox')

  await sandbox.control('POST', '/deliveries/1/replay', { to: receiver.url, wait: 'settled' })

  await expect.poll(() => page.title()).toBe('Payments · paylink-sandbox')
  expect(await icon()).toBe(before)
})

test('the filter suggests completions, and explains what it does not understand', async ({
  sandbox,
  page,
  inspector,
}) => {
  await makeCalls(sandbox, 1)
  await inspector.open(sandbox.url)

  await page.keyboard.press('/')
  await page.getByRole('option', { name: /^kind:/ }).waitFor()
  await page.keyboard.type('ki')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('web')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  expect(await page.getByRole('combobox').inputValue()).toBe('kind:webhook ')
  await page.getByRole('heading', { name: 'No event contains' }).waitFor()

  await page.getByRole('combobox').fill('kind:webhok')
  await page.getByText('There is no kind:webhok. Did you mean webhook?').first().waitFor()
})

test('the menu of a row stays within the window', async ({ sandbox, page, inspector }) => {
  await makeCalls(sandbox, 40)
  await inspector.open(sandbox.url)
  await expect.poll(inspector.isAtEnd).toBe(true)

  await inspector
    .row(/createSplitLink/)
    .last()
    .click({ button: 'right' })
  const { y, height } = (await page.getByRole('menu').boundingBox())!
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height - 8)
})

test('the menu of a row stays open if the right button is held', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink()
  await inspector.open(sandbox.url)

  await inspector.row(/createSplitLink/).hover()
  await page.mouse.down({ button: 'right' })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await page.mouse.up({ button: 'right' })

  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  await page.getByRole('menuitem').first().waitFor()
})

test('the menu of a row has the actions of its buttons', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await inspector.open(sandbox.url)

  await inspector.row(/webhook/).click({ button: 'right' })
  // The copied text is known only after the bytes are loaded.
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual([
      'Replayr',
      'Edit and replaye',
      'Copy as cURLc',
      'Copy linkl',
      'Download as test',
      'Download as shell script',
    ])
  await page.keyboard.press('Enter')
  await page
    .getByText(/delivery 2/i)
    .first()
    .waitFor()
})

test('times can be shown in UTC, everywhere at once', async () => {
  await using sandbox = await openSandbox({ now: () => new Date('2026-07-01T10:00:00.000Z') })
  await makeCalls(sandbox, 1)
  const page = await openPage({ timezoneId: 'Asia/Tokyo' })
  const inspector = inspectorOn(page)
  await inspector.open(sandbox.url)
  await inspector.row(/createSplitLink/).click()
  await page.getByText('2026-07-01 19:00:00.000').first().waitFor()

  await page.getByRole('button', { name: 'Time zone: local' }).click()
  await page.getByText('2026-07-01 10:00:00.000 UTC').waitFor()
  await inspector.row(/10:00:00.000 .*createSplitLink/).waitFor()
})

test('free text finds the note of a payment, and a search without results proposes others', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink({ recipient_note: 'Order 30, bouquet' })
  await sandbox.createLink({ recipient_note: 'Order 31' })
  await sandbox.call('createSplitLink', { amount: 0 })
  await inspector.open(sandbox.url)

  const search = page.getByRole('combobox')
  await search.fill('bouquet')
  await expect.poll(inspector.rowCount).toBe(1)
  await search.fill('failed')
  await page.getByRole('heading', { name: 'No event contains “failed”' }).waitFor()
  await page.getByRole('button', { name: /^is:failed.*1 event$/ }).waitFor()
  await search.press('Enter')
  await inspector.row(/✕ 200 · code 0 amount should be/).waitFor()
  expect(await search.inputValue()).toBe('is:failed')
  await search.press('Escape')
  await search.press('Escape')
  expect(await search.inputValue()).toBe('')
})

test('the strip above the list selects a time range by pointer and by keyboard', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink({ recipient_note: 'before' })
  await sandbox.control('POST', '/clock/advance', { days: 1 })
  await sandbox.createLink({ recipient_note: 'after' })
  await inspector.open(sandbox.url)
  const slider = page.getByRole('slider', { name: 'Time range' })
  const box = (await slider.boundingBox())!

  await page.mouse.move(box.x + 1, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.49, box.y + 20)
  await page.mouse.up()
  await inspector.row(/before/).waitFor()
  await inspector.row(/after/).waitFor({ state: 'detached' })
  expect(page.url()).toContain('range=')

  await page.reload()
  await inspector.row(/before/).waitFor()
  expect(await inspector.row(/after/).count()).toBe(0)
  // The strip shows new events a little later than the list.
  await page.locator('.strip .gap').waitFor()

  await slider.focus()
  await page.keyboard.press('End')
  await inspector.row(/after/).waitFor()
  await page.keyboard.press('Escape')
  await inspector.row(/before/).waitFor()
  expect(page.url()).not.toContain('range=')
})

test('an open event fits into a narrow window', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'A note that is long enough to be cut in a narrow list' })
  for (const width of [720, 860, 1024]) {
    await page.setViewportSize({ width, height: 450 })
    await inspector.open(sandbox.url)
    await inspector.row(/createSplitLink/).click()
    await inspector.details.getByRole('tab', { name: 'Overview' }).waitFor()
    const [overflow, search, title] = await page.evaluate(() => [
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
      document.querySelector('#filter')!.clientWidth,
      document.querySelector('.details h2')!.clientWidth,
    ])
    expect(overflow, String(width)).toBe(0)
    expect(search, String(width)).toBeGreaterThan(200)
    expect(title, String(width)).toBeGreaterThan(300)
  }
})

test('the row of a failed webhook begins with the reason, and its details with the remedy', async ({
  sandbox,
  page,
  inspector,
}) => {
  await using receiver = await startReceiver((_received, response) => {
    response.writeHead(302, { location: '/login' }).end()
  })
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  await inspector.open(sandbox.url)
  await inspector.row(/✕ 302 Redirected to \/login/).click()
  const card = page.getByRole('region', { name: 'Cause and remedy' })
  await card.getByRole('heading', { name: 'Your app redirects the webhook to its login page' }).waitFor()
  await card.getByText('so that it answers 2xx itself').waitFor()
  await card.getByRole('button', { name: 'Replay', exact: true }).click()
  await receiver.count(2)

  await page.getByRole('combobox').fill('kind:diagnostic')
  await inspector
    .row(/The receiver answered with a redirect/)
    .first()
    .waitFor()
})

test('a network that comes back while the page connects leaves one WebSocket open', async ({
  sandbox,
  page,
  inspector,
}) => {
  await page.addInitScript(() => {
    const opened: WebSocket[] = []
    const isOpen = ({ readyState }: WebSocket) => readyState <= WebSocket.OPEN
    window.WebSocket = class extends WebSocket {
      constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
        super(...parameters)
        if (opened.push(this) === 1) queueMicrotask(() => dispatchEvent(new Event('online')))
      }
    }
    Object.assign(window, { openWebSockets: () => opened.map(isOpen) })
  })
  await inspector.open(sandbox.url)
  await expect.poll(() => page.evaluate('openWebSockets()')).toEqual([false, true])
})

test('a part of the page that could not be loaded appears once the sandbox can be reached again', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink()
  await page.addInitScript(() => {
    const sockets: WebSocket[] = []
    window.WebSocket = class extends WebSocket {
      constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
        super(...parameters)
        sockets.push(this)
      }
    }
    Object.assign(window, { loseConnection: () => sockets.at(-1)!.close() })
  })
  let failures = 0
  page.on('requestfailed', () => (failures += 1))
  await page.route('**/quick-filters-*.js', (route) => route.abort())
  await inspector.open(sandbox.url)
  // Once by the timeline, and once by the page, which loads all files soon after the start.
  await expect.poll(() => failures).toBe(2)
  await page.unrouteAll()
  expect(await page.getByRole('group', { name: 'Quick filters' }).count()).toBe(0)

  await page.evaluate('loseConnection()')

  await page.getByRole('group', { name: 'Quick filters' }).waitFor()
})
