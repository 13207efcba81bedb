import type { Tone } from '../../server/contract/format/event-row.ts'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  readonly tone: Tone
  /** The text of a row's status: a symbol, a space and a word. */
  readonly status: string
  /** Shown instead of the word. */
  readonly word?: string
}

const icons: Readonly<Record<string, IconName>> = {
  '✓': 'ok',
  '✕': 'close',
  '↻': 'retry',
  '○': 'clock',
  '–': 'plain',
}

/** Words with an icon of their own. */
const iconsOfWords: Readonly<Record<string, IconName>> = { held: 'pause', stored: 'stored' }

/** A status as an icon and a word. Screen readers get the symbol in place of the icon. */
export function Status({ tone, status, word }: Props) {
  const [symbol = '', ...words] = status.split(' ')
  const text = word ?? words.join(' ')
  return (
    <span class="status" data-tone={tone}>
      <Icon name={iconsOfWords[text] ?? icons[symbol] ?? 'plain'} size={14} />
      <span class="visually-hidden">{symbol} </span>
      <span class="word">{text}</span>
    </span>
  )
}
