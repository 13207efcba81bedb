import { copy } from '../../browser/clipboard.ts'
import { log } from '../../data/session.ts'
import { Icon } from '../../components/icon.tsx'
import { MenuButton } from '../../components/menu-button.tsx'
import { lastSelectedEvent } from '../current-event.ts'
import { buildDiagram } from './build-diagram.ts'
import { toSvgFile } from './copy-diagram.ts'
import { Diagram } from './diagram.tsx'
import { toMermaid } from './mermaid.ts'

interface Props {
  readonly payId: number
}

const itemsOf = ({ eventIndex }: typeof log.journal.value, payId: number) =>
  buildDiagram(eventIndex.eventsOfPayment(payId), eventIndex.clockChanges)

const titleOf = (payId: number): string => `Journey of payment ${payId}`

const SVG_SELECTOR = '.diagram > svg'

/** The journey of a payment as a sequence diagram. */
export function DiagramView({ payId }: Props) {
  const items = itemsOf(log.journal.value, payId)
  const seqs = new Set(items.map(({ seq }) => seq))
  const last = lastSelectedEvent.value
  return (
    <Diagram
      items={items}
      current={last !== undefined && seqs.has(last) ? last : undefined}
      label={titleOf(payId)}
    />
  )
}

/** Copies the diagram for a pull request or a document. */
export const CopyDiagram = ({ payId }: Props) => (
  <MenuButton
    class="quiet"
    button={
      <>
        <Icon name="copy" size={14} />
        Copy as
        <Icon name="down" size={14} />
      </>
    }
  >
    <button
      type="button"
      onClick={() => copy(toMermaid(itemsOf(log.journal.peek(), payId)), 'Mermaid diagram')}
    >
      Mermaid, for a pull request
    </button>
    <button
      type="button"
      onClick={() =>
        copy(toSvgFile(document.querySelector<SVGSVGElement>(SVG_SELECTOR)!, titleOf(payId)), 'SVG picture')
      }
    >
      SVG, with the colors of this page
    </button>
  </MenuButton>
)
