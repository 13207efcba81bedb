interface Props {
  readonly text: string
}

/** A sentence with its command-line flags in code style, which prevents line breaks inside them. */
export const TextWithFlags = ({ text }: Props) => (
  <>
    {text
      .split(/(--[a-z-]+)/)
      .map((part) => (part.startsWith('--') ? <code class="flag">{part}</code> : part))}
  </>
)
