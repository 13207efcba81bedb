import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AccountView } from '../../server/contract/views.ts'
import { accountList } from '../accounts.ts'
import { showToast } from '../toasts.ts'
import { ChangedElsewhere } from './draft-field.tsx'
import { DraftForm } from './draft-form.tsx'
import { edit, errorOf, fieldOf } from './drafts.ts'
import { Section, sections, type SectionName } from './section.tsx'
import { UrlPreview } from './url-preview.tsx'

interface Props {
  readonly account: AccountView
  readonly path: 'callbackUrls' | 'webhookUrls'
  readonly name: SectionName
  /** How a request names an entry. */
  readonly children: ComponentChildren
}

type Action = readonly [
  id: string,
  symbol: string,
  nameOf: (what: string) => string,
  isOff: (index: number) => boolean,
  run: (index: number) => void,
]

/** URLs with the indexes by which requests name them. The order is saved together with the texts. */
export function UrlList({ account, path, name, children }: Props) {
  const urls = fieldOf(account, path).value as readonly string[]
  const one = sections[name].slice(0, -1)
  const focus = useFocusAfterwards()

  const put = (next: readonly string[], focused: string) => {
    edit(account, path, next)
    focus(`${path}-${focused}`)
  }
  const move = (from: number, to: number) => {
    const isAtEnd = to === 0 || to === urls.length - 1
    const direction = to < from === !isAtEnd ? 'up' : 'down'
    put(urls.toSpliced(from, 1).toSpliced(to, 0, urls[from]!), `${direction}-${to}`)
  }
  const remove = (index: number) => {
    const next = urls.toSpliced(index, 1)
    put(next, next.length === 0 ? 'add' : `delete-${Math.min(index, next.length - 1)}`)
    showToast({
      tone: 'ok',
      text: `${one} ${index} taken out, to be saved`,
      action: { label: 'Undo', run: () => restoreUrl(account.id, path, index, urls[index]!) },
    })
  }

  const actions: readonly Action[] = [
    ['up', '↑', (what) => `Move ${what} up`, (index) => index === 0, (index) => move(index, index - 1)],
    [
      'down',
      '↓',
      (what) => `Move ${what} down`,
      (index) => index === urls.length - 1,
      (index) => move(index, index + 1),
    ],
    ['delete', '×', (what) => `Delete ${what}`, () => false, remove],
  ]

  return (
    <Section name={name}>
      <DraftForm account={account} paths={[path]} what={sections[name]}>
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
                  aria-label={`${one} ${index}`}
                  aria-invalid={error !== undefined}
                  aria-describedby={`${path}-error-${index}`}
                  value={url}
                  onInput={({ currentTarget }) => edit(account, path, urls.with(index, currentTarget.value))}
                />
                <div class="row-actions">
                  {actions.map(([id, symbol, nameOf, isOff, run]) => (
                    <button
                      key={id}
                      type="button"
                      id={`${path}-${id}-${index}`}
                      aria-label={nameOf(`${one} ${index}`)}
                      disabled={isOff(index)}
                      onClick={() => run(index)}
                    >
                      {symbol}
                    </button>
                  ))}
                </div>
                <span id={`${path}-error-${index}`} class="wrong" role="alert">
                  {error}
                </span>
                <UrlPreview place={`${path}.${index}`} />
              </li>
            )
          })}
        </ol>
        {urls.length === 0 && <p class="muted">None yet, so there is no index to name.</p>}
        <button
          type="button"
          id={`${path}-add`}
          class="add"
          onClick={() => put([...urls, ''], `text-${urls.length}`)}
        >
          Add a {one.replace(/^./, (letter) => letter.toLowerCase())}
        </button>
        <ChangedElsewhere account={account} path={path} />
      </DraftForm>
      <div class="muted">
        {children}
        <p>
          Another order changes what an index means for links made from then on. Links that exist keep the
          URLs they were made with.
        </p>
      </div>
    </Section>
  )
}

/** Back where it was, in the list as it is by now. */
function restoreUrl(id: string, path: Props['path'], index: number, url: string): void {
  const account = accountList.peek().find((one) => one.id === id)
  if (account) edit(account, path, (fieldOf(account, path).value as string[]).toSpliced(index, 0, url))
}

/** Gives the focus to an element that the next rendering brings. */
function useFocusAfterwards() {
  const wanted = useRef('')
  useEffect(() => {
    if (wanted.current !== '') document.getElementById(wanted.current)?.focus()
    wanted.current = ''
  })
  return (id: string) => (wanted.current = id)
}
