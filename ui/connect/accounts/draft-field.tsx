import type { AccountView } from '../../../server/contract/views.ts'
import { TextField } from '../../components/field.tsx'
import { discard, edit, errorOf, fieldOf, type Path, type Value } from './drafts.ts'

interface Props {
  readonly account: AccountView
  readonly path: Path
  readonly label: string
  readonly hint?: string
  readonly inputMode?: 'text' | 'decimal' | 'url'
}

/** A text field of an account. */
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

/** A checkbox of an account. */
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

/** Says that the account has changed elsewhere, for example in another tab, while there was a draft. */
export function ChangedElsewhere({ account, path }: Pick<Props, 'account' | 'path'>) {
  const { changedElsewhere } = fieldOf(account, path)
  return (
    <div role="status">
      {changedElsewhere !== undefined && (
        <p class="changed-elsewhere">
          Changed elsewhere to <code>{textOf(changedElsewhere)}</code>. If you save, you overwrite it.{' '}
          <button type="button" class="small" onClick={() => discard(account, [path])}>
            Use that value
          </button>
        </p>
      )}
    </div>
  )
}

function textOf(value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return (typeof value === 'string' ? value : value.join(', ')) || 'empty'
}
