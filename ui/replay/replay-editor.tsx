import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { DeliveryView, EventView } from '../../server/contract/views.ts'
import { plural } from '../../server/contract/format/values.ts'
import { request, withErrorToast } from '../data/api.ts'
import { DiffView } from '../compare/diff-view.tsx'
import { isForm as isFormType } from '../components/body-text.ts'
import { isMac } from '../browser/media.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { TextArea } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { Time } from '../components/time.tsx'
import { useOneAtATime } from '../browser/use-one-at-a-time.ts'
import { AddField } from './add-field.tsx'
import { Answers, isWaiting } from './answers.tsx'
import { createBodyEdits, type BodyEdits } from './body-edits.ts'
import { FieldRow, RemovedField } from './field-row.tsx'
import { editMode, Presets } from './presets.tsx'
import { changesOf } from './replay-changes.ts'
import { closeReplayEditor, draftOf, setDraft, type ReplayDraft } from './replay-state.ts'
import { sendDraft } from './send-draft.ts'
import { sortFields } from './webhook-field.ts'
import { useError } from '../data/use-error.ts'

interface Props {
  readonly deliveryId: number
  /** The editor is open beside this event. */
  readonly event: EventView
}

/** Sends a webhook again with other fields, other bytes or to another address. The original does not change. */
export function ReplayEditor({ deliveryId, event }: Props) {
  const original = useSignal<DeliveryView | undefined>(undefined)

  useEffect(() => {
    void withErrorToast(async () => {
      original.value = await request('GET /deliveries/:id', { param: { id: deliveryId } })
    })
  }, [deliveryId])

  return (
    <div
      class="replay-editor"
      onKeyDown={(pressed) => {
        if (pressed.key !== 'Escape' || pressed.defaultPrevented) return
        pressed.preventDefault()
        closeReplayEditor()
      }}
    >
      <header>
        <div class="detail-bar bar">
          <span class="kind" data-kind="webhook">
            <Icon name="webhook" size={14} />
            webhook
          </span>
          <span class="muted subtitle">
            from {event.type === 'delivery.attempted' ? `attempt ${event.attempt}` : `delivery ${deliveryId}`}
            , <Time at={event.at} style="since" />
          </span>
          <button
            type="button"
            class="close"
            aria-label="Close"
            title="Close (Esc)"
            onClick={closeReplayEditor}
          >
            <Icon name="close" />
          </button>
        </div>
        <h2>Edit and replay</h2>
      </header>
      {original.value ? <Editor original={original.value} /> : <p class="hint delayed">Loading…</p>}
    </div>
  )
}

/** A text area turns every line end into LF. If the text was not edited, the original bytes are sent. */
const toTextArea = (text: string): string => text.replace(/\r\n?/g, '\n')

const lastInput = (list: HTMLElement | null): HTMLElement | undefined =>
  [...(list?.querySelectorAll<HTMLElement>('.replay-field :is(input, textarea)') ?? [])].at(-1)

function Editor({ original }: { readonly original: DeliveryView }) {
  const { id, body, contentType, target } = original
  const form = useRef<HTMLFormElement>(null)
  const error = useError()
  const runOne = useOneAtATime()

  const isForm = isFormType([['content-type', contentType]])
  const unchanged: ReplayDraft = { to: target, body, isTwice: false }
  const draft = draftOf(id) ?? unchanged
  const change = (changes: Partial<ReplayDraft>) => setDraft(id, { ...draft, ...changes })

  const edits = createBodyEdits(body, draft.body, isForm)
  const changes = changesOf({ to: target, body }, draft, isForm)
  const count = changes.filter(({ kind }) => kind === 'added').length

  useEffect(() => {
    const field = form.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      ':is(input, textarea):not([type=radio])',
    )
    field?.focus()
    // Selects the value, so that typing replaces it, as after the Tab key. Does not select bytes, which are edited and not
    // replaced.
    if (field instanceof HTMLInputElement) field.select()
  }, [])

  const send = async () => {
    error.value = await sendDraft(original, draft)
  }

  return (
    <>
      <form
        ref={form}
        class="form replay-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault()
          if (!isWaiting(id)) void runOne(send)
        }}
        onKeyDown={(pressed) => {
          if (pressed.key !== 'Enter' || !(pressed.ctrlKey || pressed.metaKey)) return
          pressed.preventDefault()
          form.current!.requestSubmit()
        }}
      >
        <Presets edits={edits} isTwice={draft.isTwice} onChange={change} />

        {editMode.value === 'bytes' ? (
          <TextArea
            label={`Body, ${contentType}`}
            hint={
              draft.body !== body && body.includes('\r') ? 'Sent as shown, with LF line ends.' : undefined
            }
            error={edits.fields ? undefined : 'This is not JSON. It is sent anyway.'}
            rows={8}
            value={toTextArea(draft.body)}
            onValue={(text) => change({ body: text === toTextArea(body) ? body : text })}
          />
        ) : edits.fields ? (
          <Fields edits={edits} isForm={isForm} onBody={(text) => change({ body: text })} />
        ) : (
          <p class="notice">The bytes are not JSON, so they have no fields. Edit them under Bytes.</p>
        )}

        <section aria-label="Changes">
          <div class="section-head">
            <h3>{changes.length === 0 ? 'No changes' : plural(Math.max(1, count), 'change')}</h3>
            {draftOf(id) && (changes.length > 0 || draft.isTwice) && (
              <button type="button" class="link" onClick={() => setDraft(id, unchanged)}>
                Undo all
              </button>
            )}
          </div>
          {changes.length === 0 ? (
            <p class="muted">The same bytes are sent again.</p>
          ) : (
            <DiffView lines={changes} />
          )}
        </section>

        <div class="replay-send">
          <label>
            <span class="muted">To</span>
            <input
              type="text"
              inputMode="url"
              autocomplete="off"
              spellcheck={false}
              aria-invalid={error.value !== undefined}
              value={draft.to}
              onInput={({ currentTarget }) => {
                error.value = undefined
                change({ to: currentTarget.value })
              }}
            />
          </label>
          <button
            type="submit"
            class="primary"
            disabled={isWaiting(id)}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {sendLabel(changes.length === 0, draft.isTwice)}
            <kbd aria-hidden="true">{isMac ? '⌘ ↵' : 'Ctrl ↵'}</kbd>
          </button>
        </div>
        <ErrorMessage text={error.value} />
      </form>

      <Answers original={original} />
    </>
  )
}

const sendLabel = (isUnchanged: boolean, isTwice: boolean): string =>
  `Send ${isUnchanged ? 'the stored bytes' : 'the changed webhook'}${isTwice ? ' twice' : ''}`

interface FieldsProps {
  readonly edits: BodyEdits
  readonly isForm: boolean
  readonly onBody: (text: string) => void
}

function Fields({ edits, isForm, onBody }: FieldsProps) {
  const list = useRef<HTMLDivElement>(null)
  const add = (name: string): boolean => {
    const body = edits.add(name)
    if (body === undefined) return false
    onBody(body)
    // The new field is the last one.
    requestAnimationFrame(() => lastInput(list.current)?.focus())
    return true
  }
  return (
    <div class="replay-fields" ref={list}>
      {sortFields(edits.fields ?? []).map((field, index) => (
        <FieldRow
          key={index}
          field={field}
          original={edits.originalOf(field)}
          isForm={isForm}
          onValue={(value) => onBody(edits.write(field, value))}
          onRestore={(before) => onBody(edits.restore(field, before))}
          onRemove={() => onBody(edits.remove(field))}
        />
      ))}
      {edits.removed.map((field) => (
        <RemovedField key={field.start} original={field} onRestore={() => onBody(edits.putBack(field))} />
      ))}
      <AddField isForm={isForm} onAdd={add} />
    </div>
  )
}
