const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/

/** Converts a text like `500ms`, `5s` or `2m` to milliseconds. Returns `undefined` if it is invalid. */
export function parseDurationMs(text: string): number | undefined {
  const [, number, unit] = DURATION.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS]
}
