interface Props {
  readonly text: string
}

/** A sentence with its flags in code style, so that no line breaks inside a flag. */
export const TextWithFlags = ({ text }: Props) => (
  <>
    {text
      .split(/(--[a-z-]+)/)
      .map((part) => (part.startsWith('--') ? <code class="flag">{part}</code> : part))}
  </>
)
