/** @typedef {import('./judge-samples.js').Sample} Sample */

const WIDTH = 720
const HEIGHT = 90
const LEFT_MARGIN = 150

/** @type {readonly (readonly [keyof Sample, string, number, string])[]} */
const ROWS = [
  ['rss', 'resident memory', 2 ** 20, 'MiB'],
  ['heap', 'heap', 2 ** 20, 'MiB'],
  ['delayMs', 'event loop delay', 1, 'ms'],
  ['longestMs', 'longest delay', 1, 'ms'],
  ['files', 'file descriptors', 1, ''],
  ['events', 'events', 1, ''],
  ['file', 'database file', 2 ** 20, 'MiB'],
  ['wal', 'write-ahead log', 2 ** 20, 'MiB'],
  ['links', 'links', 1, ''],
]

/**
 * Draws an SVG with one chart for each figure over time, from 0 to its maximum.
 *
 * @param {readonly Sample[]} samples
 */
export function plot(samples) {
  const seconds = Math.max(samples.at(-1)?.at ?? 1, 1)
  const rows = ROWS.map(([key, label, size, unit], index) => {
    const top = index * (HEIGHT + 20) + 10
    const max = Math.max(...samples.map((sample) => sample[key]), 1)
    const points = samples.map(
      (sample) =>
        `${(LEFT_MARGIN + (sample.at / seconds) * WIDTH).toFixed(1)},${(top + HEIGHT - (sample[key] / max) * HEIGHT).toFixed(1)}`,
    )
    return `<text x="10" y="${top + 20}">${label}</text>
<text x="10" y="${top + 40}" fill="#666">up to ${(max / size).toFixed(1)} ${unit}</text>
<rect x="${LEFT_MARGIN}" y="${top}" width="${WIDTH}" height="${HEIGHT}" fill="#f4f4f4"/>
<polyline fill="none" stroke="#2457c5" points="${points.join(' ')}"/>`
  })
  const height = ROWS.length * (HEIGHT + 20) + 30
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT_MARGIN + WIDTH + 20}" height="${height}" font-family="sans-serif" font-size="13">
<rect width="100%" height="100%" fill="#fff"/>
${rows.join('\n')}
<text x="${LEFT_MARGIN}" y="${height - 10}" fill="#666">${(seconds / 60).toFixed(1)} minutes</text>
</svg>
`
}
