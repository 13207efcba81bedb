import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseXml } from '@rgrove/parse-xml'
import { expect, test } from 'vitest'
import { measure } from '../../scripts/bench/measure.js'
import { parts } from '../../scripts/bench/parts.js'

const BENCH = fileURLToPath(new URL('../../scripts/bench.js', import.meta.url))

interface Report {
  readonly parts: readonly {
    readonly name: string
    readonly rows: readonly { readonly what: string; readonly measured: number; readonly baseline: number }[]
    readonly verdicts: readonly { readonly what: string; readonly isReached: boolean }[]
  }[]
}

test('a part of the bench prints a table, and returns JSON and a chart with verdicts', async () => {
  let table = ''
  const { json, svg } = await measure(
    ['payments'],
    { isQuick: true, isFull: false },
    (text) => (table += text),
  )

  const { parts: measured } = JSON.parse(json) as Report
  expect(measured.map(({ name }) => name)).toEqual(['payments'])
  const { rows, verdicts } = measured[0]!
  expect(rows.length).toBeGreaterThan(0)
  for (const { what, measured: figure, baseline } of rows) {
    expect(table).toContain(what)
    expect(svg).toContain(what)
    expect([figure, baseline].every(Number.isFinite), what).toBe(true)
  }
  expect(verdicts.length).toBeGreaterThan(0)
  const reached = verdicts.filter(({ isReached }) => isReached).length
  expect(table).toContain(`Reached: ${reached} of ${verdicts.length}\n`)
  expect(parseXml(svg).root?.name).toBe('svg')
})

test('an unknown part is rejected with the names of all parts', async () => {
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [BENCH, 'speed'], (error, _stdout, said) =>
      resolve({ code: error?.code, stderr: said }),
    )
  })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `There is no speed. Available: ${Object.keys(parts).join(', ')}.\n`,
  })
})
