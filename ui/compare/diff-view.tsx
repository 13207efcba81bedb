import type { DiffLine } from './diff-lines.ts'

const signs = { equal: ' ', removed: '−', added: '+' } as const

/** Lines that were removed, added or kept. */
export const DiffView = ({ lines }: { readonly lines: readonly DiffLine[] }) => (
  <div class="diff">
    {lines.map(({ kind, text }, index) => {
      const content = (
        <>
          <span aria-hidden="true">{signs[kind]}</span>
          <span>{text}</span>
        </>
      )
      if (kind === 'equal') return <div key={index}>{content}</div>
      return kind === 'removed' ? <del key={index}>{content}</del> : <ins key={index}>{content}</ins>
    })}
  </div>
)
