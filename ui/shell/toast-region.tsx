import { copy } from '../clipboard.ts'
import { dismissToast, hold, startTimer, toasts } from '../toasts.ts'

const marks = { ok: '✓', err: '✕', plain: '→', warn: '!' } as const

/** Says in passing what came of an action. */
export function ToastRegion() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, tone, text, request, action }) => (
        <div
          key={id}
          class="toast"
          data-tone={tone}
          onPointerEnter={() => hold(id)}
          onPointerLeave={() => startTimer(id)}
          onFocusIn={() => hold(id)}
          onFocusOut={() => startTimer(id)}
        >
          <p>
            <span aria-hidden="true">{marks[tone]}</span> {text}
            {request !== undefined && <code>{request}</code>}
          </p>
          {action && (
            <button
              type="button"
              class="small"
              onClick={() => {
                dismissToast(id)
                void action.run()
              }}
            >
              {action.label}
            </button>
          )}
          {request !== undefined && (
            <button type="button" class="small" onClick={() => copy(`${request}: ${text}`, 'Error')}>
              Copy
            </button>
          )}
          <button type="button" class="small" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
      ))}
    </div>
  )
}
