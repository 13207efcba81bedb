import { copy } from '../browser/clipboard.ts'

interface Props {
  readonly text: string
  /** Names the text, as in "Copy the pay link". */
  readonly what: string
  readonly class?: string
}

export const CopyButton = ({ text, what, class: more = '' }: Props) => (
  <button type="button" class={`small ${more}`} aria-label={`Copy ${what}`} onClick={() => copy(text, what)}>
    Copy
  </button>
)
