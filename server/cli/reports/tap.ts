import type { Verdict } from './verdict.ts'

/** Verdicts as TAP 14, which TAP 13 readers take too. */
export const tapOf = (verdicts: readonly Verdict[]): string =>
  ['TAP version 14', `1..${verdicts.length}`, ...verdicts.map(pointOf), ''].join('\n')

function pointOf({ name, group, outcome, ms, message, details, repeat }: Verdict, index: number): string {
  const status = outcome === 'failed' ? 'not ok' : 'ok'
  const skip = outcome === 'skipped' ? ` # SKIP ${oneLine(message ?? '')}` : ''
  const point = `${status} ${index + 1} - ${escape(`${group}: ${name}`)}${skip}`.trimEnd()
  // JSON is YAML too.
  const facts = Object.entries({
    duration_ms: ms,
    ...(outcome === 'failed' ? { message, details, repeat } : {}),
  }).flatMap(([key, value]) => (value === undefined ? [] : [`  ${key}: ${JSON.stringify(value)}`]))
  return [point, '  ---', ...facts, '  ...'].join('\n')
}

const escape = (text: string): string => oneLine(text).replace(/[\\#]/g, String.raw`\$&`)

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
