interface Props<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  readonly current: Name
  /** Numbers shown beside the names. */
  readonly counts: Readonly<Partial<Record<Name, number>>>
  /** The id of the tab panel. */
  readonly panel: string
  readonly onSelect: (name: Name) => void
}

export const tabId = (panel: string, name: string): string => `${panel}-${name.toLowerCase()}`

export function Tabs<Name extends string>(props: Props<Name>) {
  const { label, names, current, counts, panel, onSelect } = props

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = names.at((names.indexOf(current) + step) % names.length)!
    onSelect(next)
    document.getElementById(tabId(panel, next))?.focus()
  }

  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(panel, name)}
          aria-selected={name === current}
          aria-controls={panel}
          tabIndex={name === current ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {name}
          {counts?.[name] !== undefined && <span class="muted">{counts[name]}</span>}
        </button>
      ))}
    </div>
  )
}
