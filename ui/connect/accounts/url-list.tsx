import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AccountView } from '../../../server/contract/views.ts'
import { accountList } from '../../data/accounts.ts'
import { showToast } from '../../browser/toasts.ts'
import { ChangedElsewhere } from './draft-field.tsx'
import { edit, errorOf, fieldOf } from './drafts.ts'
import { Section, sections, type SectionName } from './section.tsx'
import { UrlPreview } from './url-preview.tsx'

interface Props {
  readonly account: AccountView
  readonly path: 'callbackUrls' | 'webhookUrls'
  readonly name: SectionName
  /** Explains how a request refers to an entry. */
  readonly children: ComponentChildren
}

type Action = readonly [
  id: string,
  symbol: string,
  label: (item: string) => string,
  isDisabled: (index: number) => boolean,
  run: (index: number) => void,
]

/** URLs, each with the index that requests refer to it by. Sequence and texts are saved together. */
export function UrlList({ account, path, name, children }: Props) {
  const urls = fieldOf(account, path).value as readonly string[]
  const itemName = sections[name].slice(0, -1)
  const focus = useFocusAfterRender()

  const update = (next: readonly string[], focused: string) => {
    edit(account, path, next)
    focus(`${path}-${focused}`)
  }
  const move = (from: number, to: number) => {
    const isAtEnd = to === 0 || to === urls.length - 1
    const direction = to < from === !isAtEnd ? 'up' : 'down'
    update(urls.toSpliced(from, 1).toSpliced(to, 0, urls[from]!), `${direction}-${to}`)
  }
  const remove = (index: number) => {
    const next = urls.toSpliced(index, 1)
    update(next, next.length === 0 ? 'add' : `delete-${Math.min(index, next.length - 1)}`)
    showToast({
      tone: 'ok',
      text: `${itemName} ${index} removed. Save to apply.`,
      action: { label: 'Undo', run: () => restoreUrl(account.id, path, index, urls[index]!) },
    })
  }

  const actions: readonly Action[] = [
    ['up', '↑', (item) => `Move ${item} up`, (index) => index === 0, (index) => move(index, index - 1)],
    [
      'down',
      '↓',
      (item) => `Move ${item} down`,
      (index) => index === urls.length - 1,
      (index) => move(index, index + 1),
    ],
    ['delete', '×', (item) => `Delete ${item}`, () => false, remove],
  ]

  return (
    <Section name={name}>
      <ol class="urls">
        {urls.map((url, index) => {
          const error = errorOf(account, `${path}.${index}`)
          return (
            <li key={index}>
              <code>{index}</code>
              <input
                id={`${path}-text-${index}`}
                type="text"
                inputMode="url"
                autocomplete="off"
                spellcheck={false}
                aria-label={`${itemName} ${index}`}
                aria-invalid={error !== undefined}
                aria-describedby={`${path}-error-${index}`}
                value={url}
                onInput={({ currentTarget }) => edit(account, path, urls.with(index, currentTarget.value))}
              />
              <div class="row-actions">
                {actions.map(([id, symbol, label, isDisabled, run]) => (
                  <button
                    key={id}
                    type="button"
                    id={`${path}-${id}-${index}`}
                    class={id === 'delete' ? 'danger-text' : ''}
                    aria-label={label(`${itemName} ${index}`)}
                    disabled={isDisabled(index)}
                    onClick={() => run(index)}
                  >
                    {symbol}
                  </button>
                ))}
              </div>
              <span id={`${path}-error-${index}`} class="error" role="alert">
                {error}
              </span>
              <UrlPreview field={`${path}.${index}`} />
            </li>
          )
        })}
      </ol>
      {urls.length === 0 && <p class="muted">No URLs yet.</p>}
      <button
        type="button"
        id={`${path}-add`}
        class="add"
        onClick={() => update([...urls, ''], `text-${urls.length}`)}
      >
        Add a {itemName.replace(/^./, (letter) => letter.toLowerCase())}
      </button>
      <ChangedElsewhere account={account} path={path} />
      <div class="muted">
        {children}
        <p>Reordering changes the indexes for new links. Existing links keep their URLs.</p>
      </div>
    </Section>
  )
}

/** Inserts a removed URL at its old index into the current list. */
function restoreUrl(id: string, path: Props['path'], index: number, url: string): void {
  const account = accountList.peek().find((known) => known.id === id)
  if (account) edit(account, path, (fieldOf(account, path).value as string[]).toSpliced(index, 0, url))
}

/** Returns a function that focuses an element by id once it is rendered. */
function useFocusAfterRender() {
  const nextId = useRef('')
  useEffect(() => {
    // The effect of an earlier render may run after the id is set, but before the element exists.
    const element = nextId.current === '' ? null : document.getElementById(nextId.current)
    if (!element) return
    element.focus()
    nextId.current = ''
  })
  return (id: string) => (nextId.current = id)
}
