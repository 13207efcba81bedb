import type { Lane } from './build-diagram.ts'

/** The lanes of a diagram from left to right, with their headings. */
export const laneNames: Readonly<Record<Lane, string>> = {
  app: 'Your app',
  sandbox: 'Sandbox',
  customer: 'Customer',
  receiver: 'Receiver',
}
