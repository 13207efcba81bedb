import { plural } from '../../server/format/values.ts'
import { isFold, type Part } from './json-folds.ts'
import { JsonTokens } from './json-tokens.tsx'

/** Longer than this, a list or an object is folded at first. */
const MAX_LINES = 60

/** Long JSON, of which parts can be folded away. */
export const JsonTree = ({ parts }: { readonly parts: readonly Part[] }) => (
  <>
    {parts.map((part, index) =>
      isFold(part) ? (
        <details key={index} open={part.lines <= MAX_LINES || index === 0}>
          <summary>
            <JsonTokens tokens={part.head} /> <span class="muted">{plural(part.lines - 1, 'line')}</span>
          </summary>
          <JsonTree parts={part.parts} />
        </details>
      ) : (
        <JsonTokens key={index} tokens={[part]} />
      ),
    )}
  </>
)
