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
  /** For a guide, what the palette shows instead of title and further text. */
  readonly marked?: { readonly title: readonly Piece[]; readonly sentence: readonly Piece[] }
  readonly key?: string
  /** Set if the command changes something, so that the palette does not select it by itself. */
  readonly changes?: boolean
  /** The effect of the command, if it cannot be undone. The palette then asks before it runs the command. */
  readonly consequence?: string
  readonly run: () => unknown
}
