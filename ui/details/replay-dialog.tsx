import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DeliveryView } from '../../server/contract/views.ts'
import { textBody } from '../../server/domain/http/exchange.ts'
import { api, withErrorToast, catchRequestError, type RequestError } from '../api.ts'
import { DialogForm } from '../shell/dialog-form.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { FieldFrame, TextField } from '../shell/field.tsx'
import { sendReplay } from './actions.ts'
import { prettyBody } from './body-text.ts'
import { replayedDelivery, closeReplayDialog } from './replay-dialog-state.ts'
import { JsonTokens } from './json-tokens.tsx'

/** Sends a webhook again with other bytes or to another target. The first one stays as it was. */
export const ReplayDialog = () => (
  <Dialog
    title={`Replay delivery ${replayedDelivery.value} with changes`}
    isOpen={replayedDelivery.value !== undefined}
    onClose={closeReplayDialog}
  >
    <Origin id={replayedDelivery.value!} />
  </Dialog>
)

function Origin({ id }: { readonly id: number }) {
  const origin = useSignal<DeliveryView | undefined>(undefined)

  useEffect(() => {
    void withErrorToast(async () => {
      const answer = await api.deliveries[':id'].$get({ param: { id: String(id) } })
      origin.value = (await answer.json()) as DeliveryView
    })
  }, [id])
  return origin.value ? <Editor origin={origin.value} /> : <p class="muted late">Loading…</p>
}

/** A text area writes every end of line as LF, so what was not edited is not sent from here. */
const asTyped = (text: string): string => text.replace(/\r\n?/g, '\n')

/** The body takes any text, so what is refused about a field is about the target. */
const reasonOf = ({ message, errors }: RequestError): string =>
  errors[0] ? `It ${errors[0].message}.` : message

function Editor({ origin }: { readonly origin: DeliveryView }) {
  const to = useSignal(origin.target)
  const body = useSignal(asTyped(origin.body))
  const { contentType } = origin
  const isOther = body.value !== asTyped(origin.body)
  const readable = prettyBody([['content-type', contentType]], textBody(body.value))
  const isBrokenJson = contentType.includes('json') && readable === undefined

  const refused = useSignal<string | undefined>(undefined)
  const send = async () => {
    const changes = {
      ...(to.value === origin.target ? {} : { to: to.value }),
      ...(isOther ? { body: body.value } : {}),
    }
    const refusal = await catchRequestError(() => sendReplay(origin.id, changes))
    refused.value = refusal && reasonOf(refusal)
    if (!refusal) closeReplayDialog()
  }

  return (
    <DialogForm
      verb="Send"
      isWide
      onSubmit={send}
      onCancel={closeReplayDialog}
      more={
        isOther && (
          <button type="button" onClick={() => (body.value = asTyped(origin.body))}>
            Restore the body
          </button>
        )
      }
    >
      <TextField
        label="Target"
        value={to.value}
        error={refused.value}
        onValue={(value) => {
          to.value = value
          refused.value = undefined
        }}
        isRequired
      />
      <FieldFrame
        label={`Body, ${contentType}`}
        hint={
          isOther && origin.body.includes('\r')
            ? 'The bytes that are sent are these, with LF at the end of each line.'
            : 'The bytes that are sent are these.'
        }
        error={isBrokenJson ? 'This is not JSON. It is sent as it is all the same.' : undefined}
      >
        {(ties) => (
          <textarea
            {...ties}
            rows={7}
            spellcheck={false}
            value={body.value}
            onInput={({ currentTarget }) => (body.value = currentTarget.value)}
          />
        )}
      </FieldFrame>
      {readable && (
        <details class="reading">
          <summary>As a receiver reads it</summary>
          <pre class="body">
            <JsonTokens tokens={readable} />
          </pre>
        </details>
      )}
    </DialogForm>
  )
}
