/** @jsxImportSource hono/jsx */

/** Text in which backticks mark code. */
export const InlineText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code translate="no">{part}</code> : part))}</>
)

/** Paragraphs of text in which backticks mark code. Empty lines separate them. */
export const Paragraphs = ({ text }: { text: string | undefined }) => (
  <>
    {(text ?? '')
      .split('\n\n')
      .filter(Boolean)
      .map((paragraph) => (
        <p>
          <InlineText text={paragraph} />
        </p>
      ))}
  </>
)

/** Preformatted text, which scrolls sideways. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => (
  <pre tabindex={0} role="region" aria-label={label}>
    <code translate="no">{text}</code>
  </pre>
)
