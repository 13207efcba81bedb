import type { Status as EventStatus } from '../../server/contract/format/event-row.ts'
import { Icon, type IconName } from './icon.tsx'

type Props = Pick<EventStatus, 'tone' | 'symbol' | 'word'>

const icons: Readonly<Record<EventStatus['symbol'], IconName>> = {
  '✓': 'ok',
  '✕': 'close',
  '↻': 'retry',
  '○': 'clock',
  '–': 'plain',
}

/** The words that have an icon. */
const iconsOfWords: Readonly<Record<string, IconName>> = { held: 'pause', stored: 'stored' }

/** A status as an icon and a word. Screen readers read the symbol instead of the icon. */
export const StatusMark = ({ tone, symbol, word }: Props) => (
  <span class="status" data-tone={tone} translate={false}>
    <Icon name={iconsOfWords[word] ?? icons[symbol]} size={14} />
    <span class="visually-hidden">{symbol} </span>
    <span class="word">{word}</span>
  </span>
)
