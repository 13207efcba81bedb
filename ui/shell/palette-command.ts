import type { Piece } from '../../server/domain/text/guide-search.ts'
import type { IconName } from '../components/icon.tsx'

export const groups = ['Questions', 'Payments', 'Go to', 'Guides', 'Actions'] as const

export interface PaletteCommand {
  readonly group: (typeof groups)[number]
  readonly icon: IconName
  readonly title: string
  /** More text. The search also looks in it. */
  readonly about?: string
  /** Other words for the search. */
  readonly words?: string
  /** For a guide, the text with marked words, which replaces title and further text. */
  readonly marked?: { readonly title: readonly Piece[]; readonly sentence: readonly Piece[] }
  readonly key?: string
  /** True if the command changes something. The palette does not select such a command by itself. */
  readonly changes?: boolean
  /** The effect of a command that cannot be undone. The palette asks before it runs the command. */
  readonly consequence?: string
  readonly run: () => unknown
}
