import { useSignal, signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { plural } from '../../server/contract/format/values.ts'
import { searchCommands, toCommands } from './commands.ts'
import { Icon } from '../components/icon.tsx'
import { Marked, Parts } from '../components/marked.tsx'
import type { PaletteCommand } from './palette-command.ts'
import { isPaletteOpen } from './palette-state.ts'
import { useModal } from '../components/use-modal.ts'
import { request } from '../data/api.ts'
import { createResource, debounced } from '../data/resource.ts'

const paletteText = signal('')

/** The sections of guides that match the text in the palette. The sandbox searches them. */
const guideMatches = createResource((superseded) => {
  const search = paletteText.value.trim()
  if (search === '') return undefined
  return debounced(superseded, async () => {
    return (await request('GET /guides', { query: { search }, signal: superseded })).matches
  })
}, 'clear')

const LIST_ID = 'commands'

function close() {
  isPaletteOpen.value = false
  paletteText.value = ''
}

/** All commands and the guides, which are found by typing. The first command that changes nothing is selected. */
export function Palette() {
  const isOpen = isPaletteOpen.value
  const modal = useModal(isOpen, close)
  return (
    <dialog
      {...modal}
      class="palette"
      aria-label="Commands"
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) close()
      }}
    >
      {isOpen && <Search />}
    </dialog>
  )
}

function Search() {
  const text = paletteText.value
  const guides = guideMatches.value
  const chosen = useSignal<string>()
  const commandToConfirm = useSignal<PaletteCommand>()
  const { shown, complete } = useMemo(() => searchCommands(paletteText), [])
  const listed = (matches: typeof shown.value) =>
    toCommands(matches, guides.state === 'loaded' ? guides.value : [])
  const { query, reading } = shown.value
  const { phrases, corrected } = reading
  const commands = listed(shown.value)
  // A command that changes something is selected only if the user chooses it. It stays selected if guides arrive above it.
  const currentIn = (list: readonly PaletteCommand[]) =>
    list.find((command) => keyOf(command) === chosen.value) ?? list.find(({ changes }) => !changes)
  const current = currentIn(commands)

  const run = (command: PaletteCommand | undefined) => {
    if (command?.consequence !== undefined) commandToConfirm.value = command
    else if (command) execute(command)
  }

  /** Runs the selected command, but never one that only an earlier text has found. */
  const runCurrent = () => {
    const found = currentIn(listed(complete()))
    if (found && [undefined, keyOf(found)].includes(chosen.value)) run(found)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // The field keeps the focus, because commands cannot have it.
    const step = event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Tab' && commands.length === 0) event.preventDefault()
    if (step !== undefined && commands.length > 0) {
      const from = current ? commands.indexOf(current) : step > 0 ? -1 : 0
      const next = (from + step + commands.length) % commands.length
      chosen.value = keyOf(commands[next]!)
      document.getElementById(`${LIST_ID}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      if (!event.repeat) runCurrent()
    } else return
    event.preventDefault()
  }

  if (commandToConfirm.value)
    return <Question command={commandToConfirm.value} onCancel={() => (commandToConfirm.value = undefined)} />
  return (
    <>
      <div class="palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Command"
          aria-expanded={current !== undefined}
          aria-controls={LIST_ID}
          aria-autocomplete="list"
          aria-activedescendant={current && `${LIST_ID}-${commands.indexOf(current)}`}
          placeholder="Find a payment, a screen, a guide or an action"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            paletteText.value = currentTarget.value
            chosen.value = undefined
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">Esc</kbd>
        <button type="button" class="palette-close" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {/* A list box must not be empty. */}
      <div
        id={LIST_ID}
        class="palette-list"
        {...(current && { role: 'listbox', 'aria-label': 'Commands' })}
        tabIndex={-1}
      >
        {corrected !== undefined && (
          <p role="presentation">
            Nothing contains “{query.trim()}”. These results contain “{corrected}”.
          </p>
        )}
        {[...new Set(commands.map(({ group }) => group))].map((group) => {
          const inGroup = commands.filter((command) => command.group === group)
          return (
            <div key={group} role="group" aria-label={group}>
              <p aria-hidden="true">{group}</p>
              {inGroup.map((command) => {
                const index = commands.indexOf(command)
                return (
                  <div
                    key={index}
                    id={`${LIST_ID}-${index}`}
                    role="option"
                    class="command"
                    aria-selected={command === current}
                    onPointerMove={() => (chosen.value = keyOf(command))}
                    onClick={() => run(command)}
                  >
                    <Icon name={command.icon} />
                    <span class="command-text">
                      <bdi>
                        {command.marked ? (
                          <Parts parts={command.marked.title} />
                        ) : (
                          <Marked text={command.title} phrases={phrases} />
                        )}
                      </bdi>{' '}
                      <span class="muted">
                        <bdi>
                          {command.marked ? (
                            <Parts parts={command.marked.sentence} />
                          ) : (
                            <Marked text={command.about ?? ''} phrases={phrases} />
                          )}
                        </bdi>
                      </span>
                    </span>
                    {command === current ? (
                      <kbd aria-hidden="true">↵</kbd>
                    ) : (
                      command.key !== undefined && <kbd aria-hidden="true">{command.key}</kbd>
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
        {commands.length === 0 && (
          <p>
            No command {guides.state === 'loaded' && 'or guide '}contains “{query}”.
          </p>
        )}
        {guides.state === 'failed' && <p>The guides were not searched. {guides.reason}</p>}
      </div>
      <p class="palette-foot">
        <span class="keys">
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span class="keys">
          <kbd>↵</kbd> run
        </span>
        <output>{plural(commands.length, 'result')}</output>
      </p>
    </>
  )
}

const keyOf = ({ group, title, about, marked }: PaletteCommand): string =>
  [group, title, about, marked?.sentence.map(({ text }) => text).join('')].join('\n')

/** Closes the palette before a command that may take long, for example because it opens a screen with much data. */
function execute(command: PaletteCommand): void {
  close()
  requestAnimationFrame(() => setTimeout(() => void command.run()))
}

/** Asks before a command that cannot be undone. */
function Question({
  command,
  onCancel,
}: {
  readonly command: PaletteCommand
  readonly onCancel: () => void
}) {
  const { title, about, consequence } = command
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div class="palette-question" role="group" aria-label={`${title}?`}>
      <h2>{title}?</h2>
      <p class="muted">
        <bdi>{about}</bdi>
      </p>
      <p>{consequence} This cannot be undone.</p>
      <div class="actions">
        <button
          ref={button}
          type="button"
          class="primary"
          // The key that has chosen the command may still be pressed. It must not confirm the question.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => execute(command)}
        >
          {title}
        </button>
        <button type="button" onClick={onCancel}>
          Back
        </button>
      </div>
    </div>
  )
}
