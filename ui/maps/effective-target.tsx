import { TextWithFlags } from './text-with-flags.tsx'

interface Entry {
  readonly url: string | null
  readonly mappedTo?: string
  readonly mappedBy?: string
  readonly isOwn: boolean
  readonly repeats?: number | null
  readonly verdict?: 'send' | 'hold' | 'never' | null
  readonly heldReason?: string | null
}

/** Where a notification for an address would really go, and whether it would leave by itself: a sentence each. */
export const EffectiveTarget = ({ url, mappedTo, mappedBy, isOwn, repeats, verdict, heldReason }: Entry) => (
  <>
    {typeof repeats === 'number' && (
      <span class="muted">This URL stands here already: it is told once more. </span>
    )}
    {(mappedTo !== undefined || isOwn) && (
      <span>
        Goes to {mappedTo ?? url}
        <span class="muted">
          {mappedBy !== undefined && ` by the map of ${mappedBy}`}
          {isOwn && ', on this sandbox itself'}.{' '}
        </span>
      </span>
    )}
    {typeof heldReason === 'string' && (
      <span class="held">
        {verdict === 'never' ? 'It would fail' : 'It would be held'}: <TextWithFlags text={heldReason} />.
      </span>
    )}
  </>
)
