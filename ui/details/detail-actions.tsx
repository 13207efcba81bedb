import type { EventView } from '../../server/contract/views.ts'
import { actionsFor } from './actions.ts'

export const DetailActions = ({ event }: { readonly event: EventView }) => (
  <div class="actions">
    {actionsFor(event).map(({ label, key, isMain, run }) => (
      <button
        key={label}
        type="button"
        class={isMain ? 'primary' : ''}
        aria-keyshortcuts={key}
        onClick={() => void run()}
      >
        {label}
        {key !== undefined && <kbd aria-hidden="true">{key}</kbd>}
      </button>
    ))}
  </div>
)
