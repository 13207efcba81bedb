/** @jsxImportSource hono/jsx */

/** Sentences in which what stands between backticks is code. */
export const InlineText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

/** The same, in paragraphs. */
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

/** Something to read line by line, which scrolls where it is wide. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => (
  <pre tabindex={0} role="region" aria-label={label}>
    <code>{text}</code>
  </pre>
)
