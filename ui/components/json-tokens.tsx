import type { JsonToken } from './json-layout.ts'

export const JsonTokens = ({ tokens }: { readonly tokens: readonly JsonToken[] }) => (
  <>
    {tokens.map(({ kind, text }, index) =>
      kind === 'mark' ? (
        text
      ) : (
        <span key={index} data-token={kind}>
          {text}
        </span>
      ),
    )}
  </>
)
