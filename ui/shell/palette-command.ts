import type { Piece } from '../../server/domain/text/guide-search.ts'
import type { IconName } from '../components/icon.tsx'

export const groups = ['Questions', 'Payments', 'Go to', 'Guides', 'Actions'] as const

export interface PaletteCommand {
  readonly group: (typeof groups)[number]
  readonly icon: IconName
  readonly title: string
  /** More text that the search also finds. */
  readonly about?: string
  /** Other words that find it. */
  readonly words?: string
  /** What the palette shows of a guide instead of title and more text. */
  readonly marked?: { readonly title: readonly Piece[]; readonly sentence: readonly Piece[] }
  readonly key?: string
  /** Set if it changes something, so that the palette does not select it by itself. */
  readonly changes?: boolean
  /** What it does, if that cannot be undone. The palette asks before it runs. */
  readonly consequence?: string
  readonly run: () => unknown
}
