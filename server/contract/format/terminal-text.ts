import { randomBytes } from 'node:crypto'
import { styleText } from 'node:util'
import { visible } from '../../domain/text/visible.ts'
import type { Tone } from './event-row.ts'

const COLORS = { ok: 'green', err: 'red', warn: 'yellow', plain: 'dim' } as const satisfies Record<
  Tone,
  string
>

/** A random mark, so that foreign text cannot contain it. */
const NONCE = randomBytes(8).toString('hex')
const MARKED = new RegExp(`<${NONCE}:(ok|err|warn|plain)>(.*?)</${NONCE}>`, 'gs')

/** Marks the tone of a text. `forTerminal` turns the mark into a color. */
export const toneText = (tone: Tone, text: string): string => `<${NONCE}:${tone}>${text}</${NONCE}>`

/** The stream of a terminal. `hasColors()` respects `NO_COLOR`. */
interface Terminal {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/**
 * A text in the form in which it is written to a stream: control characters become visible, and tones become colors if it is a
 * terminal.
 */
export function forTerminal(text: string, stream: Terminal): string {
  const hasColors = stream.isTTY && stream.hasColors?.()
  return visible(text).replace(MARKED, (_, tone: Tone, inner: string) =>
    hasColors ? styleText(COLORS[tone], inner, { validateStream: false }) : inner,
  )
}
