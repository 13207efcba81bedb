import type { DiffLine } from './diff-lines.ts'

/** More equal lines than this are folded. */
const MAX_EQUAL = 12

/** Lines that were removed, added or kept. */
export const DiffView = ({ lines }: { readonly lines: readonly DiffLine[] }) => (
  <div class="diff">
    {runsOf(lines).map((run, index) =>
      run[0]!.kind === 'equal' && run.length > MAX_EQUAL ? (
        <details key={index}>
          <summary>{run.length} equal lines</summary>
          {run.map(toLine)}
        </details>
      ) : (
        run.map(toLine)
      ),
    )}
  </div>
)

/** Groups neighboring lines of one kind. */
function runsOf(lines: readonly DiffLine[]): DiffLine[][] {
  const runs: DiffLine[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run?.[0]!.kind === line.kind) run.push(line)
    else runs.push([line])
  }
  return runs
}

const tags = { equal: 'div', removed: 'del', added: 'ins' } as const
const signs = { equal: ' ', removed: '−', added: '+' } as const

function toLine({ kind, text }: DiffLine, index: number) {
  const Tag = tags[kind]
  return (
    <Tag key={index} class="diff-line">
      <span aria-hidden="true">{signs[kind]}</span>
      <span>{text}</span>
    </Tag>
  )
}
