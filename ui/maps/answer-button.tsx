import { useSignal } from '@preact/signals'
import type { TunnelAnswer } from '../../server/domain/network/tunnel.ts'
import { api, catchRequestError } from '../api.ts'
import { DialogButton } from '../shell/dialog-button.tsx'
import { DialogForm } from '../shell/dialog-form.tsx'
import { FieldFrame, TextField } from '../shell/field.tsx'

interface Props {
  readonly name: string
  readonly answer: TunnelAnswer
}

/** Says what a tunnel answers where nobody listens, and changes it. */
export const AnswerButton = ({ name, answer }: Props) => (
  <>
    <span class="muted">answers {answer.status}</span>
    <DialogButton title="Set the answer">
      {(close) => <AnswerForm name={name} answer={answer} close={close} />}
    </DialogButton>
  </>
)

const isType = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'content-type'

function AnswerForm({ name, answer, close }: Props & { readonly close: () => void }) {
  const status = useSignal(String(answer.status))
  const type = useSignal(answer.headers.find(isType)?.[1] ?? '')
  const body = useSignal(answer.body)
  const delay = useSignal(String(answer.delayMs))
  const refused = useSignal<string | undefined>(undefined)

  async function save(): Promise<void> {
    // Fields beyond the type are for scripts, and stay as those set them.
    const headers = answer.headers
      .filter((header) => !isType(header))
      .map(([key, value]): [string, string] => [key, value])
    if (type.value !== '') headers.unshift(['content-type', type.value])
    const json = { status: Number(status.value), headers, body: body.value, delayMs: Number(delay.value) }
    const refusal = await catchRequestError(() => api.tunnels[':name'].answer.$put({ param: { name }, json }))
    refused.value = refusal?.message
    if (!refusal) close()
  }

  return (
    <DialogForm verb="Save" isWide noValidate onSubmit={save} onCancel={close} refused={refused.value}>
      <p class="muted">What {name} answers where nobody listens.</p>
      <TextField
        label="Status"
        inputMode="decimal"
        value={status.value}
        onValue={(text) => (status.value = text)}
      />
      <TextField label="Content type" value={type.value} onValue={(text) => (type.value = text)} />
      <FieldFrame label="Body">
        {(ties) => (
          <textarea
            {...ties}
            rows={6}
            spellcheck={false}
            value={body.value}
            onInput={({ currentTarget }) => (body.value = currentTarget.value)}
          />
        )}
      </FieldFrame>
      <TextField
        label="Delay in milliseconds"
        inputMode="decimal"
        value={delay.value}
        onValue={(text) => (delay.value = text)}
      />
    </DialogForm>
  )
}
