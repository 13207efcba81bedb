import type { LinkView } from '../contract/views.ts'

/** Addresses of inspector pages. */
export const inspectorLinks = (url: string) => ({
  event: (seq: number): string => `${url}/#/timeline/${seq}`,
  payment: ({ payId }: Pick<LinkView, 'payId'>): string => `${url}/#/payments/${payId}`,
  account: (id: string): string => `${url}/#/connect/accounts/${id}`,
  screen: (name: 'timeline' | 'test/faults' | 'connect/maps' | 'sandbox'): string => `${url}/#/${name}`,
})

export type InspectorLinks = ReturnType<typeof inspectorLinks>
