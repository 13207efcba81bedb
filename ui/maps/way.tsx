interface Entry {
  readonly mappedTo?: string
  readonly mappedBy?: string
  readonly isOwn: boolean
  readonly repeats?: number | null
  readonly verdict?: 'send' | 'hold' | 'never' | null
  readonly heldBecause?: string | null
}

/** Where a notification for an address would really go, and whether it would leave by itself. */
export const Way = ({ mappedTo, mappedBy, isOwn, repeats, verdict, heldBecause }: Entry) => (
  <>
    {typeof repeats === 'number' && <span class="muted">, the same as entry {repeats}: told twice</span>}
    {mappedTo !== undefined && (
      <>
        {' '}
        → {mappedTo} <span class="muted">by the map of {mappedBy}</span>
      </>
    )}
    {isOwn && <span class="muted">, on this sandbox itself</span>}
    {typeof heldBecause === 'string' && (
      <span class="held">
        {' '}
        {verdict === 'never' ? 'It would fail' : 'It would be held'}: {heldBecause}
      </span>
    )}
  </>
)
