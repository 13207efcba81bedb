import { useSignal } from '@preact/signals'
import type { Piece } from '../../server/domain/text/guide-search.ts'
import { plural } from '../../server/contract/format/values.ts'
import { findCommands, groups, type Command } from './commands.ts'
import { Icon } from '../components/icon.tsx'
import { guideMatches, paletteText } from './guide-matches.ts'
import { isPaletteOpen } from './palette-state.ts'
import { useModal } from '../components/use-modal.ts'

const LIST_ID = 'commands'

function close() {
  isPaletteOpen.value = false
  paletteText.value = ''
}

/** All commands and the guides, found by typing. The first one is selected. */
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

function run(command: Command | undefined): void {
  if (!command) return
  close()
  void command.run()
}

function Search() {
  const text = paletteText.value
  const guides = guideMatches.value
  const chosen = useSignal(0)
  const commands = findCommands(text, guides.state === 'loaded' ? guides.value : [])
  const current = commands[Math.min(chosen.value, commands.length - 1)]

  const onKeyDown = (event: KeyboardEvent) => {
    // The field keeps the focus, because commands cannot have it.
    const step = event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Tab' && commands.length === 0) event.preventDefault()
    if (step !== undefined && commands.length > 0) {
      chosen.value = (chosen.value + step + commands.length) % commands.length
      document.getElementById(`${LIST_ID}-${chosen.value}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') run(current)
    else return
    event.preventDefault()
  }

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
          placeholder="Pay, find a payment, open a screen, search the guides"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            paletteText.value = currentTarget.value
            chosen.value = 0
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
        {groups.map((group) => {
          const inGroup = commands.filter((command) => command.group === group)
          return (
            inGroup.length > 0 && (
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
                      onPointerMove={() => (chosen.value = index)}
                      onClick={() => run(command)}
                    >
                      <Icon name={command.icon} />
                      <span class="command-text">
                        <bdi>
                          <Pieces pieces={command.marked?.title ?? markWords(command.title, text)} />
                        </bdi>{' '}
                        <span class="muted">
                          <bdi>
                            {command.marked ? <Pieces pieces={command.marked.sentence} /> : command.about}
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
          )
        })}
        {commands.length === 0 && (
          <p>
            No command {guides.state === 'loaded' && 'or guide '}contains “{text}”.
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

const Pieces = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <>{pieces.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))}</>
)

/** A text in which the searched words are marked. */
function markWords(text: string, words: string): readonly Piece[] {
  const wanted = words.split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [{ text, isMatch: false }]
  const pattern = new RegExp(
    `(${wanted.map((word) => word.replace(/[^\p{L}\d]/gu, '\\$&')).join('|')})`,
    'gi',
  )
  return text.split(pattern).map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
}
