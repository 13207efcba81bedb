import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

const MOST_COLOURS = 256

/**
 * Writes a picture again with a palette, in half of the bytes. The edges of letters take the nearest of its
 * colours.
 *
 * @param {Buffer} picture a PNG
 * @returns {Buffer}
 */
export function indexedPng(picture) {
  const { width, height, data } = PNG.sync.read(picture)
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = paletteOf(counts)
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]))

  // Each line begins with its filter: none.
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      lines[y * (width + 1) + 1 + x] = indexes.get(data.readUIntBE((y * width + x) * 4, 3)) ?? 0
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Takes, one after another, the colour that would be missed most: by how far off the nearest is, and how often.
 *
 * @param {ReadonlyMap<number, number>} counts
 */
function paletteOf(counts) {
  const colours = [...counts].map(([colour, often]) => ({ colour, often, off: Infinity }))
  /** @type {number[]} */
  const palette = []
  while (palette.length < Math.min(MOST_COLOURS, colours.length)) {
    const missed = colours.reduce((most, one) => (one.often * one.off > most.often * most.off ? one : most))
    palette.push(missed.colour)
    for (const one of colours) one.off = Math.min(one.off, distance(one.colour, missed.colour))
  }
  return palette
}

/**
 * @param {number} a
 * @param {number} b
 */
function distance(a, b) {
  const others = channels(b)
  return channels(a).reduce((sum, channel, index) => sum + (channel - (others[index] ?? 0)) ** 2, 0)
}

/** @param {number} colour */
const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]

/**
 * @param {readonly number[]} palette
 * @param {number} colour
 */
function nearest(palette, colour) {
  const distances = palette.map((one) => distance(one, colour))
  return distances.indexOf(Math.min(...distances))
}

/**
 * @param {string} type
 * @param {Buffer} content
 */
function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}
