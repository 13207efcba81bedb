import type { ComponentChildren } from 'preact'
import { useScrollTarget } from '../components/use-scroll-target.ts'

interface ListProps {
  readonly title: string
  /** Its name in the address. */
  readonly name?: string
  readonly aside: ComponentChildren
  readonly children: ComponentChildren
}

/** A section of the overview with a heading. */
export const List = ({ title, name, aside, children }: ListProps) => (
  <section aria-label={title}>
    <div class="list-head">
      <h3 ref={useScrollTarget<HTMLHeadingElement>(name)} tabIndex={-1}>
        {title}
      </h3>
      <span class="muted small">{aside}</span>
    </div>
    {children}
  </section>
)

/** A row of a list: a name and a figure. */
export const Row = ({
  name,
  value,
}: {
  readonly name: ComponentChildren
  readonly value: ComponentChildren
}) => (
  <li class="pair-row">
    <span>{name}</span>
    <span class="muted">{value}</span>
  </li>
)
