/**
 * @typedef {object} Sample
 * @property {number} at in seconds since the start
 * @property {number} rss resident memory, in bytes
 * @property {number} heap in bytes
 * @property {number} handles open handles
 * @property {number} files open file descriptors
 * @property {number} delayMs median delay of the event loop
 * @property {number} longestMs longest delay of the event loop, minus that of an idle process
 * @property {number} events in the journal
 * @property {number} links
 * @property {number} file size of the database file, in bytes
 * @property {number} wal size of the write-ahead log, in bytes
 */
/** @typedef {{ what: string, value: number, limit: number, unit: string }} Verdict */

const MIB = 1024 * 1024

/** How much each figure may grow during the second half, on its regression line. */
const GROWTH_LIMITS = /** @type {const} */ ([
  ['rss', 'resident memory', MIB, 'MiB', 16],
  ['heap', 'heap after a collection', MIB, 'MiB', 4],
  ['handles', 'open handles', 1, '', 10],
  ['files', 'file descriptors', 1, '', 10],
  ['delayMs', 'event loop delay, median', 1, 'ms', 20],
  ['longestMs', 'event loop delay, longest', 1, 'ms', 250],
  ['events', 'events in the journal', 1, '', 200],
  ['wal', 'write-ahead log', MIB, 'MiB', 4],
])

/** The limit for nine of ten samples. The machine itself may cause one of ten. */
const MAX_BLOCKED_MS = 400

const NEEDS_FULL_JOURNAL = new Set(['events in the journal', 'file, for each link'])

/** The database file may grow only by links and their deliveries, which are never removed. */
const MAX_BYTES_PER_LINK = 6 * 1024

/**
 * Judges the growth during the second half of a run, when caches are warm. Journal and database file grow until the journal
 * is full. Before that, there is no verdict about them.
 *
 * @param {readonly Sample[]} samples
 * @param {number} keep how many events the journal keeps
 * @returns {Verdict[]}
 */
export function judgeSamples(samples, keep) {
  const half = samples.slice(Math.floor(samples.length / 2))
  const links = growth(half, 'links')
  const isFull = (half[0]?.events ?? 0) >= keep
  const verdicts = [
    ...GROWTH_LIMITS.map(([key, what, size, unit, limit]) => ({
      what,
      value: growth(half, key) / size,
      limit,
      unit,
    })),
    {
      what: 'event loop blocked at once',
      value: percentile90(half.map(({ longestMs }) => longestMs)),
      limit: MAX_BLOCKED_MS,
      unit: 'ms',
    },
    {
      what: 'file, for each link',
      value: growth(half, 'file') / Math.max(links, 1),
      limit: MAX_BYTES_PER_LINK,
      unit: 'bytes',
    },
  ]
  return isFull ? verdicts : verdicts.filter(({ what }) => !NEEDS_FULL_JOURNAL.has(what))
}

/** @param {readonly number[]} values */
const percentile90 = (values) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.9)] ?? 0

/**
 * Returns how much the regression line (least squares) rises from the first sample to the last.
 *
 * @param {readonly Sample[]} samples
 * @param {keyof Sample} key
 */
function growth(samples, key) {
  const count = samples.length
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / count
  const mean = samples.reduce((sum, sample) => sum + sample[key], 0) / count
  const covariance = samples.reduce((sum, sample) => sum + (sample.at - meanAt) * (sample[key] - mean), 0)
  const variance = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  const [first, last] = [samples[0]?.at ?? 0, samples.at(-1)?.at ?? 0]
  return variance === 0 ? 0 : (covariance / variance) * (last - first)
}
