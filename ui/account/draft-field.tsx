import type { AccountView } from '../../server/contract/views.ts'
import { TextField } from '../shell/field.tsx'
import { discard, edit, errorOf, fieldOf, type Path, type Value } from './drafts.ts'

interface Props {
  readonly account: AccountView
  readonly path: Path
  readonly label: string
  readonly hint?: string
  readonly inputMode?: 'text' | 'decimal' | 'url'
}

/** One line of text of an account. */
export function DraftField({ account, path, label, ...rest }: Props) {
  return (
    <div class="draft">
      <TextField
        {...rest}
        label={label}
        value={String(fieldOf(account, path).value)}
        error={errorOf(account, path)}
        onValue={(value) => edit(account, path, value)}
      />
      <ChangedElsewhere account={account} path={path} />
    </div>
  )
}

/** Something that an account has or has not. */
export function DraftSwitch({ account, path, label }: Props) {
  return (
    <div class="draft">
      <label class="option">
        <input
          type="checkbox"
          checked={fieldOf(account, path).value === true}
          onChange={({ currentTarget }) => edit(account, path, currentTarget.checked)}
        />
        {label}
      </label>
      <ChangedElsewhere account={account} path={path} />
    </div>
  )
}

/** Says that the account got something else meanwhile, as from another tab. */
export function ChangedElsewhere({ account, path }: Pick<Props, 'account' | 'path'>) {
  const { theirs } = fieldOf(account, path)
  return (
    <div role="status">
      {theirs !== undefined && (
        <p class="theirs">
          Changed elsewhere meanwhile, to <code>{textOf(theirs)}</code>. Saving replaces that.{' '}
          <button type="button" class="small" onClick={() => discard(account, [path])}>
            Take it instead
          </button>
        </p>
      )}
    </div>
  )
}

function textOf(value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return (typeof value === 'string' ? value : value.join(', ')) || 'nothing'
}
