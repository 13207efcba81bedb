import { plural } from '../../server/contract/format/values.ts'
import { isFold, type Part } from './json-folds.ts'
import { JsonTokens } from '../components/json-tokens.tsx'

/** Larger arrays and objects are collapsed at first. */
const MAX_OPEN_LINES = 60

/** JSON whose arrays and objects can be collapsed. */
export const JsonTree = ({ parts }: { readonly parts: readonly Part[] }) => (
  <>
    {parts.map((part, index) =>
      isFold(part) ? (
        <details key={index} open={part.lines <= MAX_OPEN_LINES || index === 0}>
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
