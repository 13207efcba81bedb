/** A metric with its samples, for the text format of Prometheus. Names and units follow its conventions. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** The suffix that a sample of a histogram adds to the name. */
  readonly suffix?: '_bucket' | '_sum' | '_count'
}

/** Counts by label values. Each combination of values stays in memory, so callers of the API must not be able to choose them. */
export class Counter<Label extends string> {
  readonly #counts = new Map<string, { readonly labels: Record<Label, string>; value: number }>()

  /** `expected` values are reported from the beginning, because Prometheus would otherwise miss their first increase. */
  constructor(...expected: readonly Record<Label, string>[]) {
    for (const labels of expected) this.add(labels, 0)
  }

  add(labels: Record<Label, string>, by = 1): void {
    const key = Object.values(labels).join('\n')
    const existing = this.#counts.get(key)
    if (existing) existing.value += by
    else this.#counts.set(key, { labels, value: by })
  }

  samples(): Sample[] {
    return [...this.#counts.values()]
  }
}

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class Durations {
  readonly #counts = BOUNDS.map(() => 0)
  #count = 0
  #sum = 0

  add(seconds: number): void {
    const index = BOUNDS.findIndex((bound) => seconds <= bound)
    if (index !== -1) this.#counts[index]!++
    this.#count++
    this.#sum += seconds
  }

  samples(): Sample[] {
    let below = 0
    const buckets = BOUNDS.map((bound, index) => {
      below += this.#counts[index]!
      return { suffix: '_bucket', labels: { le: String(bound) }, value: below } as const
    })
    return [
      ...buckets,
      { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count },
      { suffix: '_sum', value: this.#sum },
      { suffix: '_count', value: this.#count },
    ]
  }
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export const writeMetrics = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${escape(help)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${inBraces(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('')

function inBraces(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value, true)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join()}}`
}

/** Quotation marks are escaped in labels, but not in help texts. */
const escape = (text: string, isQuoted = false): string =>
  text.replaceAll(/[\\\n"]/g, (one) => (one === '\n' ? '\\n' : one === '"' && !isQuoted ? one : `\\${one}`))
