import type { ComponentChildren } from 'preact'
import { ErrorMessage } from './error-message.tsx'
import { useOneAtATime } from '../browser/use-one-at-a-time.ts'

interface Props {
  /** The text of the submit button. */
  readonly verb: string
  readonly onSubmit: () => Promise<unknown>
  readonly onCancel: () => void
  /** An error that belongs to no single field. */
  readonly error?: string | undefined
  readonly isWide?: boolean
  /** Whether the browser must leave validation to the sandbox. */
  readonly noValidate?: boolean
  readonly children: ComponentChildren
  readonly more?: ComponentChildren
}

/** A form in a dialog. While a submit runs, another one does nothing. */
export function DialogForm({
  verb,
  onSubmit,
  onCancel,
  error,
  isWide = false,
  noValidate = false,
  children,
  more,
}: Props) {
  const runOne = useOneAtATime()

  return (
    <form
      class={isWide ? 'form wide' : 'form'}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault()
        void runOne(onSubmit)
      }}
    >
      {children}
      <ErrorMessage text={error} />
      <div class="actions">
        <button type="submit" class="primary">
          {verb}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        {more}
      </div>
    </form>
  )
}
