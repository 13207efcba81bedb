import type { ComponentChildren } from 'preact'
import { useScrollTarget } from '../../components/use-scroll-target.ts'

/** The titles of the sections, by their names in the address. */
export const sections = {
  keys: 'Keys and tokens',
  settings: 'Settings',
  'callback-urls': 'Callback URLs',
  'webhook-urls': 'Webhook URLs',
  billing: 'Billing address',
  invoices: 'Invoices',
  reset: 'Reset or delete',
} as const

export type SectionName = keyof typeof sections

interface Props {
  readonly name: SectionName
  readonly children: ComponentChildren
}

export function Section({ name, children }: Props) {
  const heading = useScrollTarget<HTMLHeadingElement>(name)
  return (
    <section class="section" data-name={name} aria-labelledby={name}>
      <h2 id={name} ref={heading} tabIndex={-1}>
        {sections[name]}
      </h2>
      {children}
    </section>
  )
}
