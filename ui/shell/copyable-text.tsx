import { CopyButton } from './copy-button.tsx'

/** Text that somebody will need elsewhere, with a button that copies it. */
export function CopyableText({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="copied">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
