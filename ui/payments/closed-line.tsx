import type { ComponentChildren } from 'preact'

interface ClosedLineProps {
  readonly name: string
  /** The main fact, beside the name. */
  readonly about: string
  readonly children: ComponentChildren
}

/** A section of the details that opens below its name. */
export const ClosedLine = ({ name, about, children }: ClosedLineProps) => (
  <details class="closed-line">
    <summary>
      {name} <span class="muted">{about}</span>
    </summary>
    {children}
  </details>
)
