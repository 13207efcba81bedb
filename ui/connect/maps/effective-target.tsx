import { TextWithFlags } from '../../components/text-with-flags.tsx'

interface Props {
  readonly url: string | null
  readonly mappedTo?: string
  readonly mappedBy?: string
  readonly isOwn: boolean
  readonly repeats?: number | null
  readonly verdict?: 'send' | 'hold' | 'never' | null
  readonly heldReason?: string | null
}

/** Where a request for an address would go after maps, and whether the sandbox would hold it. */
export const EffectiveTarget = ({ url, mappedTo, mappedBy, isOwn, repeats, verdict, heldReason }: Props) => (
  <>
    {typeof repeats === 'number' && <span class="muted">Duplicate URL: it receives another webhook. </span>}
    {(mappedTo !== undefined || isOwn) && (
      <span>
        Goes to {mappedTo ?? url}
        <span class="muted">
          {mappedBy !== undefined && ` by the map of ${mappedBy}`}
          {isOwn && ', on this sandbox'}.{' '}
        </span>
      </span>
    )}
    {typeof heldReason === 'string' && (
      <span class="highlighted">
        {verdict === 'never' ? 'It would fail' : 'It would be held'}: <TextWithFlags text={heldReason} />.
      </span>
    )}
  </>
)
