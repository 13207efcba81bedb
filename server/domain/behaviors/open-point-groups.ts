/** The subjects by which open points are grouped, each with its heading. */
export const openPointGroups = {
  links: 'Links and payments',
  amounts: 'Amounts and shares',
  refunds: 'Refunds',
  webhooks: 'Webhooks',
  redirects: 'Redirects',
  invoices: 'Invoices',
  errors: 'Requests and errors',
} as const

export type OpenPointGroup = keyof typeof openPointGroups

interface Section<Point> {
  readonly title: string
  readonly points: readonly Point[]
}

/** Divides points by subject. Subjects without points are left out. */
export const groupOpenPoints = <Point extends { readonly group: OpenPointGroup }>(
  points: readonly Point[],
): Section<Point>[] =>
  Object.entries(openPointGroups)
    .map(([name, title]) => ({ title, points: points.filter(({ group }) => group === name) }))
    .filter((section) => section.points.length > 0)
