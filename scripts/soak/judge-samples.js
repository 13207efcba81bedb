/** @typedef {Record<'at' | 'rss' | 'heap' | 'handles' | 'files' | 'delayMs' | 'longestMs' | 'events' | 'links' | 'file' | 'wal', number>} Sample `at` in seconds, sizes in bytes; `longestMs` less what the machine made others wait */
/** @typedef {{ what: string, grew: number, bound: number, unit: string }} Verdict */

const MIB = 1024 * 1024

/** What may be more at the end of the second half than at its beginning, by the line through all that was seen of it. */
const BOUNDS = /** @type {const} */ ([
  ['rss', 'resident memory', MIB, 'MiB', 16],
  ['heap', 'heap after a collection', MIB, 'MiB', 4],
  ['handles', 'open handles', 1, '', 10],
  ['files', 'file descriptors', 1, '', 10],
  ['delayMs', 'event loop delay, median', 1, 'ms', 20],
  ['longestMs', 'event loop delay, longest', 1, 'ms', 250],
  ['events', 'events in the journal', 1, '', 200],
  ['wal', 'write-ahead log', MIB, 'MiB', 4],
])

/** What may block the event loop at a time in nine samples of ten. One in ten is the machine's. */
const MAX_BLOCKED_MS = 400

const NEEDS_FULL_JOURNAL = new Set(['events in the journal', 'file, for each link'])

/** Links and deliveries stay, and nothing else may be what the file grows by. */
const BYTES_A_LINK = 6 * 1024

/**
 * What grew over the second half, when everything is warm, and what may. The journal and the file are to grow until
 * the journal is full, so before that nothing is said of them.
 *
 * @param {readonly Sample[]} samples
 * @param {number} keep how many events the journal keeps
 * @returns {Verdict[]}
 */
export function judgeSamples(samples, keep) {
  const half = samples.slice(Math.floor(samples.length / 2))
  const links = growth(half, 'links')
  const isFull = (half[0]?.events ?? 0) >= keep
  const all = [
    ...BOUNDS.map(([key, what, size, unit, bound]) => ({
      what,
      grew: growth(half, key) / size,
      bound,
      unit,
    })),
    {
      what: 'event loop blocked at once',
      grew: percentile90(half.map(({ longestMs }) => longestMs)),
      bound: MAX_BLOCKED_MS,
      unit: 'ms',
    },
    {
      what: 'file, for each link',
      grew: growth(half, 'file') / Math.max(links, 1),
      bound: BYTES_A_LINK,
      unit: 'bytes',
    },
  ]
  return isFull ? all : all.filter(({ what }) => !NEEDS_FULL_JOURNAL.has(what))
}

/** @param {readonly number[]} figures */
const percentile90 = (figures) =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length * 0.9)] ?? 0

/**
 * How much the line of least squares rises from the first sample to the last.
 *
 * @param {readonly Sample[]} samples
 * @param {keyof Sample} key
 */
function growth(samples, key) {
  const count = samples.length
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / count
  const mean = samples.reduce((sum, sample) => sum + sample[key], 0) / count
  const rise = samples.reduce((sum, sample) => sum + (sample.at - meanAt) * (sample[key] - mean), 0)
  const run = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0]
  return run === 0 ? 0 : (rise / run) * (last - first)
}
