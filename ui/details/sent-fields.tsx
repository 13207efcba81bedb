import type { EventView } from '../../server/contract/views.ts'
import { fieldsOf } from '../components/body-fields.ts'
import { isForm } from '../components/body-text.ts'
import { Fact } from './fact.tsx'
import { selectedExchange } from './selected-event.ts'

const MAX_FIELDS = 12
const MAX_NAME = 100
/** The request shows the rest. */
const MAX_VALUE = 300

/** The fields in the body of a webhook. */
export function SentFields({ event }: { readonly event: EventView }) {
  const request = selectedExchange.value?.request
  if (!('deliveryId' in event) || !request || request.body.encoding !== 'utf8') return null
  const fields = fieldsOf(request.body.content, isForm(request.headers))
  if (fields.length === 0) return null
  return (
    <section aria-label="Fields">
      <h3>{event.type === 'delivery.attempted' ? 'Sent' : 'To be sent'}</h3>
      <dl class="facts">
        {fields.slice(0, MAX_FIELDS).map(([name, value]) => (
          <Fact key={name} name={shorten(name, MAX_NAME)}>
            <bdi>{shorten(value, MAX_VALUE)}</bdi>
          </Fact>
        ))}
      </dl>
    </section>
  )
}

const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
