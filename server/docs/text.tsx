/** @jsxImportSource hono/jsx */

/** Text with code in backticks. */
export const InlineText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code translate="no">{part}</code> : part))}</>
)

/** Paragraphs of text with code in backticks. Empty lines separate them. */
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
