import { copy } from '../clipboard.ts'

/** Text that somebody will need elsewhere, with a button that copies it. */
export function Copied({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="copied">
      <code>{text}</code>
      <button type="button" class="small" aria-label={`Copy ${what}`} onClick={() => copy(text, what)}>
        Copy
      </button>
    </span>
  )
}
