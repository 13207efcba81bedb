import { copy } from '../browser/clipboard.ts'
import { dismissToast, stopTimer, startTimer, toasts } from '../browser/toasts.ts'

const SYMBOLS = { ok: '✓', err: '✕', plain: '→', warn: '!' } as const

export function ToastRegion() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, tone, text, request, action }) => (
        <div
          key={id}
          class="toast"
          data-tone={tone}
          onPointerEnter={() => stopTimer(id)}
          onPointerLeave={() => startTimer(id)}
          onFocusIn={() => stopTimer(id)}
          onFocusOut={() => startTimer(id)}
        >
          <p>
            <span aria-hidden="true">{SYMBOLS[tone]}</span> {text}
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
