interface Props {
  readonly text: string
}

/** A sentence whose options are not broken at the end of a line, so that they can be read and copied. */
export const TextWithFlags = ({ text }: Props) => (
  <>
    {text
      .split(/(--[a-z-]+)/)
      .map((part) => (part.startsWith('--') ? <code class="flag">{part}</code> : part))}
  </>
)
