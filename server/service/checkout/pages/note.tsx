/** @jsxImportSource hono/jsx */
import { truncate } from '../../../domain/text/truncate.ts'

/** A longer note is collapsed, so that nobody has to scroll past it to pay. */
const MAX_LENGTH = 200

/** The shop's note. `dir="auto"` follows the direction of its script. */
export function Note({ text }: { text: string }) {
  if (text === '') return null
  if (text.length <= MAX_LENGTH) {
    return (
      <p class="note" dir="auto">
        {text}
      </p>
    )
  }
  return (
    <details class="long-note">
      <summary>
        <span class="note beginning" dir="auto">
          {truncate(text, MAX_LENGTH)}…
        </span>
        <span class="more whole">Whole note</span>
        <span class="more less">Less</span>
      </summary>
      <p class="note" dir="auto">
        {text}
      </p>
    </details>
  )
}
