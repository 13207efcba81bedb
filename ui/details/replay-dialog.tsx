import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DeliveryView } from '../../server/contract/views.ts'
import { textBody } from '../../server/domain/http/exchange.ts'
import { api, catchRequestError, singleFieldError, withErrorToast } from '../api.ts'
import { DialogForm } from '../shell/dialog-form.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { TextArea, TextField } from '../shell/field.tsx'
import { sendReplay } from './actions.ts'
import { prettyBody } from './body-text.ts'
import { replayedDelivery, closeReplayDialog } from './replay-dialog-state.ts'
import { JsonTokens } from './json-tokens.tsx'

/** Replays a webhook with another body or to another target. The original delivery does not change. */
export const ReplayDialog = () => (
  <Dialog
    title={`Replay delivery ${replayedDelivery.value} with changes`}
    isOpen={replayedDelivery.value !== undefined}
    onClose={closeReplayDialog}
  >
    <LoadedEditor id={replayedDelivery.value!} />
  </Dialog>
)

function LoadedEditor({ id }: { readonly id: number }) {
  const origin = useSignal<DeliveryView | undefined>(undefined)

  useEffect(() => {
    void withErrorToast(async () => {
      const response = await api.deliveries[':id'].$get({ param: { id: String(id) } })
      origin.value = (await response.json()) as DeliveryView
    })
  }, [id])
  return origin.value ? <Editor origin={origin.value} /> : <p class="muted delayed">Loading…</p>
}

/** A text area turns every line end into LF. The original bytes are sent unless the text was edited. */
const toTextArea = (text: string): string => text.replace(/\r\n?/g, '\n')

function Editor({ origin }: { readonly origin: DeliveryView }) {
  const to = useSignal(origin.target)
  const body = useSignal(toTextArea(origin.body))
  const { contentType } = origin
  const isEdited = body.value !== toTextArea(origin.body)
  const readable = prettyBody([['content-type', contentType]], textBody(body.value))
  const isBrokenJson = contentType.includes('json') && readable === undefined

  const error = useSignal<string | undefined>(undefined)
  const send = async () => {
    const changes = {
      ...(to.value === origin.target ? {} : { to: to.value }),
      ...(isEdited ? { body: body.value } : {}),
    }
    const failure = await catchRequestError(() => sendReplay(origin.id, changes))
    // The body may be any text, so the error is about the target.
    error.value = failure && singleFieldError(failure)
    if (!failure) closeReplayDialog()
  }

  return (
    <DialogForm
      verb="Send"
      isWide
      onSubmit={send}
      onCancel={closeReplayDialog}
      more={
        isEdited && (
          <button type="button" onClick={() => (body.value = toTextArea(origin.body))}>
            Restore body
          </button>
        )
      }
    >
      <TextField
        label="Target"
        value={to.value}
        error={error.value}
        onValue={(value) => {
          to.value = value
          error.value = undefined
        }}
        isRequired
      />
      <TextArea
        label={`Body, ${contentType}`}
        hint={
          isEdited && origin.body.includes('\r')
            ? 'This text is sent, with LF line ends.'
            : 'This text is sent.'
        }
        error={isBrokenJson ? 'This is not JSON. It is sent anyway.' : undefined}
        rows={7}
        value={body.value}
        onValue={(text) => (body.value = text)}
      />
      {readable && (
        <details class="decoded-body">
          <summary>Decoded</summary>
          <pre class="body">
            <JsonTokens tokens={readable} />
          </pre>
        </details>
      )}
    </DialogForm>
  )
}
