/** @jsxImportSource hono/jsx */

const strokes = {
  done: 'M6 12.5l4 4 8-9',
  failed: 'M8 8l8 8M16 8l-8 8',
  over: 'M7 12h10',
  waiting: 'M12 7v5l3 2',
} as const

/** An icon above a heading. The heading says the same in words. */
export const Mark = ({ sign }: { sign: keyof typeof strokes }) => (
  <svg class="mark" data-sign={sign} viewBox="0 0 24 24" aria-hidden="true">
    <path d={strokes[sign]} />
  </svg>
)
