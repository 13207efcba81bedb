import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { DeliveryView, EventView } from '../../server/contract/views.ts'
import { plural } from '../../server/format/values.ts'
import { api, catchRequestError, singleFieldError, withErrorToast } from '../api.ts'
import { DiffView } from '../compare/diff-view.tsx'
import { isForm as isFormType } from '../details/body-text.ts'
import { resultOf, resultToast, whenDelivered, type DeliveryResult } from '../details/delivery-result.ts'
import { storedChoice } from '../local-storage.ts'
import { isMac } from '../media.ts'
import { ErrorMessage } from '../shell/error-message.tsx'
import { TextArea } from '../shell/field.tsx'
import { Icon } from '../shell/icon.tsx'
import { Segmented } from '../shell/segmented.tsx'
import { Time } from '../shell/time.tsx'
import { showToast } from '../toasts.ts'
import { useOneAtATime } from '../use-one-at-a-time.ts'
import { Answer, Warning } from './answer.tsx'
import { AddField } from './add-field.tsx'
import {
  editableFields,
  encodeFormValue,
  encodeJsonValue,
  insertField,
  newPair,
  pairOf,
  removeField,
  replaceField,
  type EditableField,
} from './editable-fields.ts'
import { FieldRow, RemovedField } from './field-row.tsx'
import { changesOf } from './resend-changes.ts'
import {
  closeResend,
  draftOf,
  editedDelivery,
  sentFrom,
  setDraft,
  setSent,
  type ResendDraft,
} from './resend-state.ts'
import { findField, isTextField, presetsFor, sortFields } from './webhook-field.ts'

interface Props {
  readonly deliveryId: number
  /** The event beside which the editor is open. */
  readonly event: EventView
}

/** Sends a webhook again with other fields, other bytes or to another address. The original does not change. */
export function ResendEditor({ deliveryId, event }: Props) {
  const original = useSignal<DeliveryView | undefined>(undefined)

  useEffect(() => {
    void withErrorToast(async () => {
      const response = await api.deliveries[':id'].$get({ param: { id: String(deliveryId) } })
      original.value = (await response.json()) as DeliveryView
    })
  }, [deliveryId])

  return (
    <div
      class="resend"
      onKeyDown={(pressed) => {
        if (pressed.key !== 'Escape' || pressed.defaultPrevented) return
        pressed.preventDefault()
        closeResend()
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
          <button type="button" class="close" aria-label="Close" title="Close (Esc)" onClick={closeResend}>
            <Icon name="close" />
          </button>
        </div>
        <h2>Edit and resend</h2>
      </header>
      {original.value ? <Editor original={original.value} /> : <p class="hint delayed">Loading…</p>}
    </div>
  )
}

const isAccepted = (result: DeliveryResult | undefined): boolean =>
  result?.type === 'delivery.attempted' && result.state === 'delivered'

const mode = storedChoice('resend', ['fields', 'bytes'])

/** A text area turns every line end into LF. The original bytes are sent unless the text was edited. */
const toTextArea = (text: string): string => text.replace(/\r\n?/g, '\n')

const lastInput = (list: HTMLElement | null): HTMLElement | undefined =>
  [...(list?.querySelectorAll<HTMLElement>('.resend-field :is(input, textarea)') ?? [])].at(-1)

function Editor({ original }: { readonly original: DeliveryView }) {
  const { id, body, contentType, target } = original
  const form = useRef<HTMLFormElement>(null)
  const fieldList = useRef<HTMLDivElement>(null)
  const error = useSignal<string | undefined>(undefined)
  const runOne = useOneAtATime()

  const isForm = isFormType([['content-type', contentType]])
  const unchanged: ResendDraft = { to: target, body, isTwice: false }
  const draft = draftOf(id) ?? unchanged
  const change = (changes: Partial<ResendDraft>) => setDraft(id, { ...draft, ...changes })

  const originalFields = editableFields(body, isForm) ?? []
  const fields = editableFields(draft.body, isForm)
  const changes = changesOf({ to: target, body }, draft, isForm)
  const count = changes.filter(({ kind }) => kind === 'added').length
  const sent = sentFrom(id)
  const isWaiting = sent.some((sentId) => !resultOf(sentId))

  useEffect(
    () => form.current?.querySelector<HTMLElement>(':is(input, textarea):not([type=radio])')?.focus(),
    [],
  )

  /** The field of the original with the same name and the same place among those of that name. */
  const originalOf = (field: EditableField): EditableField | undefined => {
    const named = (list: readonly EditableField[]) => list.filter(({ name }) => name === field.name)
    return named(originalFields)[named(fields ?? []).indexOf(field)]
  }
  const write = (field: EditableField, value: string) =>
    change({
      body: replaceField(
        draft.body,
        field,
        isForm ? encodeFormValue(value) : encodeJsonValue(value, isTextField(originalOf(field) ?? field)),
      ),
    })
  const restore = (field: EditableField, before: EditableField) =>
    change({ body: replaceField(draft.body, field, before.encoded) })

  const isRemoved = (field: EditableField): boolean => {
    const named = originalFields.filter(({ name }) => name === field.name)
    return named.indexOf(field) >= (fields ?? []).filter(({ name }) => name === field.name).length
  }
  /** Inserts a field. Returns whether the body has a place for it. */
  const insert = (name: string, pair: string, names: readonly string[]): boolean => {
    const inserted = insertField(draft.body, { name, pair, names }, isForm)
    if (inserted !== undefined) change({ body: inserted })
    return inserted !== undefined
  }
  const putBack = (field: EditableField) =>
    insert(
      field.name,
      pairOf(body, field),
      originalFields.map(({ name }) => name),
    ) || change({ body })
  const add = (name: string): boolean => {
    const isAdded = insert(name, newPair(name, isForm), [...(fields ?? []).map((known) => known.name), name])
    // The new field is the last one.
    if (isAdded) requestAnimationFrame(() => lastInput(fieldList.current)?.focus())
    return isAdded
  }

  const send = async () => {
    const ids: number[] = []
    const failure = await catchRequestError(async () => {
      const json = {
        ...(draft.to === target ? {} : { to: draft.to }),
        ...(draft.body === body ? {} : { body: draft.body }),
        wait: 'accepted',
      } as const
      for (let round = 0; round < (draft.isTwice ? 2 : 1); round++) {
        const response = await api.deliveries[':id'].replay.$post({ param: { id: String(id) }, json })
        ids.push((await response.json()).id)
      }
    })
    // The body may be any text, so the error is about the address.
    error.value = failure && singleFieldError(failure)
    if (!failure || ids.length > 0) setSent(id, ids)
    for (const sentId of ids) {
      whenDelivered(sentId, (result) => {
        if (editedDelivery.peek() !== id) showToast(resultToast(result))
      })
    }
  }

  return (
    <>
      <form
        ref={form}
        class="form resend-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault()
          if (!isWaiting) void runOne(send)
        }}
        onKeyDown={(pressed) => {
          if (pressed.key !== 'Enter' || !(pressed.ctrlKey || pressed.metaKey)) return
          pressed.preventDefault()
          form.current!.requestSubmit()
        }}
      >
        <div class="presets" role="group" aria-label="Presets">
          {presetsFor(originalFields).map(({ label, name, value }) => {
            const field = findField(fields, name)
            const before = findField(originalFields, name)!
            const isPressed = field?.value === value
            return (
              <button
                key={label}
                type="button"
                disabled={!field}
                aria-pressed={isPressed}
                onClick={() => field && (isPressed ? restore(field, before) : write(field, value))}
              >
                {label}
              </button>
            )
          })}
          <button
            type="button"
            aria-pressed={draft.isTwice}
            onClick={() => change({ isTwice: !draft.isTwice })}
          >
            Twice
          </button>
          <Segmented
            label="What to edit"
            options={[
              ['fields', 'Fields'],
              ['bytes', 'Bytes'],
            ]}
            value={mode.value}
            onValue={(value) => (mode.value = value)}
          />
        </div>

        {mode.value === 'bytes' ? (
          <TextArea
            label={`Body, ${contentType}`}
            hint={
              draft.body !== body && body.includes('\r') ? 'Sent as shown, with LF line ends.' : undefined
            }
            error={fields ? undefined : 'This is not JSON. It is sent anyway.'}
            rows={8}
            value={toTextArea(draft.body)}
            onValue={(text) => change({ body: text === toTextArea(body) ? body : text })}
          />
        ) : fields ? (
          <div class="resend-fields" ref={fieldList}>
            {sortFields(fields).map((field, index) => (
              <FieldRow
                key={index}
                field={field}
                original={originalOf(field)}
                isForm={isForm}
                onValue={(value) => write(field, value)}
                onRestore={(before) => restore(field, before)}
                onRemove={() => change({ body: removeField(draft.body, field, isForm) })}
              />
            ))}
            {originalFields.filter(isRemoved).map((field) => (
              <RemovedField key={field.start} original={field} onRestore={() => putBack(field)} />
            ))}
            <AddField isForm={isForm} onAdd={add} />
          </div>
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

        <div class="resend-send">
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
            disabled={isWaiting}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {draft.isTwice ? 'Send twice' : 'Send'}
            <kbd aria-hidden="true">{isMac ? '⌘ ↵' : 'Ctrl ↵'}</kbd>
          </button>
        </div>
        <ErrorMessage text={error.value} />
      </form>

      {sent.length > 0 && (
        <section class="answers" aria-label="Answer" aria-live="polite">
          {sent.map((sentId, index) => (
            <Answer
              key={sentId}
              title={sent.length === 1 ? 'Answer' : `Answer ${index + 1} of ${sent.length}`}
              deliveryId={sentId}
              original={original}
            />
          ))}
          {sent.length > 1 && sent.every((sentId) => isAccepted(resultOf(sentId))) && (
            <Warning title="Your app accepted both.">Check that it handled the payment once.</Warning>
          )}
          {isWaiting && (
            <button type="button" class="small" onClick={() => setSent(id, [])}>
              Stop waiting
            </button>
          )}
        </section>
      )}
    </>
  )
}
