/** @jsxImportSource hono/jsx */

/** Sentences in which what stands between backticks is code. */
export const Line = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

/** The same, in paragraphs. */
export const Text = ({ text }: { text: string | undefined }) => (
  <>
    {(text ?? '')
      .split('\n\n')
      .filter(Boolean)
      .map((paragraph) => (
        <p>
          <Line text={paragraph} />
        </p>
      ))}
  </>
)

/** Something to read line by line, which scrolls where it is wide. */
export const Listing = ({ label, text }: { label: string; text: string }) => (
  <pre tabindex={0} role="region" aria-label={label}>
    <code>{text}</code>
  </pre>
)
