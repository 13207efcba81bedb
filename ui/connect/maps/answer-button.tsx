import { useError } from '../../data/use-error.ts'
import { findHeader } from '../../../server/domain/http/exchange.ts'
import { useSignal } from '@preact/signals'
import type { TunnelAnswer } from '../../../server/domain/network/tunnel.ts'
import type { SandboxError } from '../../../server/contract/sandbox-error.ts'
import { request, catchSandboxError, fieldErrorText } from '../../data/api.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { TextArea, TextField } from '../../components/field.tsx'

interface Props {
  readonly name: string
  readonly answer: TunnelAnswer
}

const FIELDS = ['status', 'headers', 'body', 'delayMs'] as const

/** Edits the response that a tunnel sends while no listener is connected. */
export const AnswerButton = ({ name, answer }: Props) => (
  <DialogButton title="Change response">
    {(close) => <AnswerForm name={name} answer={answer} close={close} />}
  </DialogButton>
)

function AnswerForm({ name, answer, close }: Props & { readonly close: () => void }) {
  const status = useSignal(String(answer.status))
  const type = useSignal(findHeader(answer.headers, 'content-type') ?? '')
  const body = useSignal(answer.body)
  const delay = useSignal(String(answer.delayMs))
  const error = useError<SandboxError>()

  async function save(): Promise<void> {
    // The form does not change other headers, which were set by the control API.
    const headers = answer.headers
      .filter(([key]) => key.toLowerCase() !== 'content-type')
      .map(([key, value]): [string, string] => [key, value])
    if (type.value !== '') headers.unshift(['content-type', type.value])
    const json = { status: Number(status.value), headers, body: body.value, delayMs: Number(delay.value) }
    error.value = await catchSandboxError(() =>
      request('PUT /tunnels/:name/answer', { param: { name }, json }),
    )
    if (error.value === undefined) close()
  }
  const errorOf = (field: (typeof FIELDS)[number]) => {
    const rejected = error.value?.errors.find(({ path }) => path.startsWith(field))
    return rejected && fieldErrorText(rejected.message)
  }

  return (
    <DialogForm
      verb="Save"
      isWide
      noValidate
      onSubmit={save}
      onCancel={close}
      error={FIELDS.some(errorOf) ? undefined : error.value?.detail}
    >
      <p class="muted">The response of tunnel {name} while no listener is connected.</p>
      <TextField
        label="Status"
        inputMode="decimal"
        value={status.value}
        error={errorOf('status')}
        onValue={(text) => (status.value = text)}
      />
      <TextField
        label="Content type"
        value={type.value}
        error={errorOf('headers')}
        onValue={(text) => (type.value = text)}
      />
      <TextArea
        label="Body"
        rows={6}
        value={body.value}
        error={errorOf('body')}
        onValue={(text) => (body.value = text)}
      />
      <TextField
        label="Delay in milliseconds"
        inputMode="decimal"
        value={delay.value}
        error={errorOf('delayMs')}
        onValue={(text) => (delay.value = text)}
      />
    </DialogForm>
  )
}
