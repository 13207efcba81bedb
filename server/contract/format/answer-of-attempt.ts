import type { EventView } from '../views.ts'
import { splitUrl } from './describe-event.ts'

/** What a receiver responded: `localhost:3000/hooks answered 500: “TypeError: no order”, in /app/webhook.js:12`. */
export function answerOfAttempt(event: Extract<EventView, { type: 'delivery.attempted' }>): string {
  const { httpStatus: status, redirectedTo, responseText, errorPlace } = event
  const { host, path } = splitUrl(event.mappedTo ?? event.target)
  const said =
    redirectedTo === undefined ? responseText && `: “${responseText}”` : ` with Location: ${redirectedTo}`
  const place = errorPlace === undefined ? '' : `, in ${errorPlace}`
  return `${host}${path} answered ${status}${said ?? ''}${place}`
}
