import { useError } from '../data/use-error.ts'
import { useSignal } from '@preact/signals'
import type { SnapshotView } from '../../server/contract/views.ts'
import { BEFORE_RESET_SNAPSHOT } from '../../server/domain/state/snapshot.ts'
import { formatSize, plural } from '../../server/contract/format/values.ts'
import { ConfirmButton } from '../connect/accounts/confirm-button.tsx'
import { NotLoaded } from '../connect/accounts/not-loaded.tsx'
import { useScrollTarget } from '../components/use-scroll-target.ts'
import type { SandboxError } from '../../server/contract/sandbox-error.ts'
import { catchSandboxError, singleFieldError } from '../data/api.ts'
import { DialogButton } from '../components/dialog-button.tsx'
import { Icon } from '../components/icon.tsx'
import { DialogForm } from '../components/dialog-form.tsx'
import { TextField } from '../components/field.tsx'
import { Time } from '../components/time.tsx'
import { useOneAtATime } from '../browser/use-one-at-a-time.ts'
import {
  BEFORE_RESTORE,
  deleteSnapshot,
  nameOfFile,
  restoreSnapshot,
  snapshotFileUrl,
  snapshots,
  takeSnapshot,
  uploadSnapshot,
} from './snapshots.ts'

/** Named copies of the whole state. */
export function SnapshotsSection() {
  const loaded = snapshots.value
  const heading = useScrollTarget<HTMLHeadingElement>('snapshots')
  return (
    <section aria-labelledby="snapshots">
      <div class="section-head">
        <h2 id="snapshots" ref={heading} tabIndex={-1}>
          Snapshots
        </h2>
        <DialogButton title="Take a snapshot" label="Take" class="quiet">
          {(close) => <TakeForm onDone={close} />}
        </DialogButton>
        <DialogButton title="Upload a snapshot" label="Upload" class="quiet">
          {(close) => <UploadForm onDone={close} />}
        </DialogButton>
      </div>
      {loaded.state !== 'loaded' ? (
        <NotLoaded of={loaded} />
      ) : loaded.value.length === 0 ? (
        <p class="muted">A snapshot keeps the whole state under a name. Take one before you try something.</p>
      ) : (
        <ul class="snapshots">
          {loaded.value.map((snapshot) => (
            <Snapshot key={snapshot.name} snapshot={snapshot} />
          ))}
        </ul>
      )}
    </section>
  )
}

const explanations: Readonly<Record<string, string>> = {
  [BEFORE_RESTORE]: 'Before the last restore',
  [BEFORE_RESET_SNAPSHOT]: 'Before the last reset',
}

function Snapshot({ snapshot }: { readonly snapshot: SnapshotView }) {
  const { name, takenAt, links, size, problem } = snapshot
  const runOne = useOneAtATime()

  return (
    <li>
      <Icon name="bookmark" />
      <div>
        <span class="snapshot-name">{name}</span>
        <span class="muted">
          {explanations[name] !== undefined && `${explanations[name]} · `}
          {links === null ? formatSize(size) : plural(links, 'payment')}
          {takenAt !== null && (
            <>
              {' · taken '}
              <Time at={takenAt} style="ago" />
            </>
          )}
        </span>
        {problem !== null && <span class="error">It cannot be restored: {problem}.</span>}
      </div>
      <button
        type="button"
        disabled={problem !== null}
        aria-label={`Restore ${name}`}
        onClick={() => runOne(() => restoreSnapshot(name))}
      >
        Restore
      </button>
      <a
        class="button quiet"
        href={snapshotFileUrl(name)}
        download
        aria-label={`Download ${name}`}
        title="Download"
      >
        <Icon name="download" />
      </a>
      <ConfirmButton
        label={<Icon name="close" />}
        name={`Delete ${name}`}
        class="quiet danger-text"
        question={`Delete the snapshot ${name}?`}
        yes="Delete"
        action={() => deleteSnapshot(name)}
        onDone={() => {}}
      >
        Its file is deleted. This cannot be undone.
      </ConfirmButton>
    </li>
  )
}

/** Whether the name is taken. The user may then replace the snapshot. */
const isTaken = (error: SandboxError | undefined): boolean => error?.status === 409

function TakeForm({ onDone }: { readonly onDone: () => void }) {
  const name = useSignal('')
  const error = useError<SandboxError>()
  const take = async (replace: boolean) => {
    error.value = await catchSandboxError(() => takeSnapshot(name.value, replace))
    if (!error.value) onDone()
  }
  return (
    <DialogForm
      verb="Take"
      onSubmit={() => take(false)}
      onCancel={onDone}
      more={isTaken(error.value) && <ReplaceButton name={name.value} onReplace={() => take(true)} />}
    >
      <NameField value={name.value} error={error.value} onValue={(value) => (name.value = value)} />
    </DialogForm>
  )
}

function UploadForm({ onDone }: { readonly onDone: () => void }) {
  const name = useSignal('')
  const file = useSignal<File | undefined>(undefined)
  const error = useError<SandboxError>()
  const upload = async (replace: boolean) => {
    const chosen = file.value
    if (!chosen) return
    error.value = await catchSandboxError(() => uploadSnapshot(name.value, chosen, replace))
    if (!error.value) onDone()
  }
  return (
    <DialogForm
      verb="Upload"
      onSubmit={() => upload(false)}
      onCancel={onDone}
      more={isTaken(error.value) && <ReplaceButton name={name.value} onReplace={() => upload(true)} />}
    >
      <label class="field">
        <span class="label">File</span>
        <input
          type="file"
          required
          accept=".gz,application/gzip"
          onChange={({ currentTarget }) => {
            file.value = currentTarget.files?.[0]
            if (file.value) name.value = nameOfFile(file.value.name)
          }}
        />
        <span class="muted">A snapshot that was downloaded from a sandbox.</span>
      </label>
      <NameField value={name.value} error={error.value} onValue={(value) => (name.value = value)} />
    </DialogForm>
  )
}

const ReplaceButton = ({ name, onReplace }: { readonly name: string; readonly onReplace: () => unknown }) => (
  <button type="button" class="danger" onClick={() => void onReplace()}>
    Replace {name}
  </button>
)

interface NameFieldProps {
  readonly value: string
  readonly error: SandboxError | undefined
  readonly onValue: (value: string) => void
}

const NameField = ({ value, error, onValue }: NameFieldProps) => (
  <TextField
    label="Name"
    hint="Lower-case letters, digits, - and _."
    isRequired
    value={value}
    error={isTaken(error) ? 'Another snapshot has this name.' : error && singleFieldError(error)}
    onValue={onValue}
  />
)
