import type { ComponentChildren } from 'preact'
import { useOneAtATime } from '../use-one-at-a-time.ts'

interface Props {
  /** What the button says that carries it out. */
  readonly verb: string
  readonly onSubmit: () => Promise<unknown>
  readonly onCancel: () => void
  /** Why it was refused, where no field says so. */
  readonly refused?: string | undefined
  readonly isWide?: boolean
  /** Whether fields are left to the sandbox to judge. */
  readonly noValidate?: boolean
  readonly children: ComponentChildren
  /** Further buttons, after the others. */
  readonly more?: ComponentChildren
}

/** A form in a dialog, which is carried out once however often it is sent. */
export function DialogForm({
  verb,
  onSubmit,
  onCancel,
  refused,
  isWide = false,
  noValidate = false,
  children,
  more,
}: Props) {
  const once = useOneAtATime()

  return (
    <form
      class={isWide ? 'form wide' : 'form'}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault()
        void once(onSubmit)
      }}
    >
      {children}
      {refused !== undefined && (
        <p class="wrong" role="alert">
          {refused}
        </p>
      )}
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
