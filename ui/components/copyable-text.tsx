import { CopyButton } from './copy-button.tsx'

/** A text with a button that copies it. */
export function CopyableText({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  )
}
