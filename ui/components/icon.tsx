/** Outlines from Lucide (ISC license), each as one path in a box of 24 × 24. */
const sharedPaths = {
  api: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
  page: 'M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6',
  customer: 'M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2M12 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  redirect: 'm15 14 5-5-5-5M4 20v-7a4 4 0 0 1 4-4h12',
  webhook:
    'M14.5 21.7a.5.5 0 0 0 1 0l6.5-19a.5.5 0 0 0-.7-.7l-19 6.5a.5.5 0 0 0 0 1l8 3.2a2 2 0 0 1 1 1zM21.9 2.1l-11 11',
  check:
    'M9 2h6a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM16 4h2a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h2M9 14l2 2 4-4',
  tunnel: 'M8 3 4 7l4 4M4 7h16M16 21l4-4-4-4M20 17H4',
  operator: 'm16 11 2 2 4-4M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M9 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  diagnostic: 'm21.7 18-8-14a2 2 0 0 0-3.4 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.7-3M12 9v4M12 17h.01',
  system:
    'M4 2h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM4 14h16a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2zM6 6h.01M6 18h.01',

  bank: 'M3 21h18M4 10h16l-8-6zM6 10v8M10 10v8M14 10v8M18 10v8M3 18h18',
  split: 'M16 3h5v5M8 3H3v5M12 22v-8.3a4 4 0 0 0-1.2-2.9L3 3M21 3l-7.8 7.8',
  flag: 'M4 15s1-1 4-1 5 2 8 2 4-1 4-1V3s-1 1-4 1-5-2-8-2-4 1-4 1zM4 22v-7',
  undo: 'M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11',

  ok: 'M20 6 9 17l-5-5',
  close: 'M18 6 6 18M6 6l12 12',
  retry: 'M21 12a9 9 0 1 1-9-9c2.5 0 4.9 1 6.7 2.7L21 8M21 3v5h-5',
  pause: 'M9 5v14M15 5v14',
  clock: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM12 6v6l4 2',
  plain: 'M5 12h14',
  stored: 'M12 3v11M8 10l4 4 4-4M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4',

  overview: 'M6 20v-6M12 20V4M18 20V10',
  timeline: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  payments: 'M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM2 10h20',

  search: 'm21 21-4.3-4.3M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  more: 'M12 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM19 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM5 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1z',
  theme: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM12 18a6 6 0 0 0 0-12zM13 8v8M14.5 8.5v7M16 10v4',
  help: 'M9 9a3 3 0 0 1 6 1c0 2-3 3-3 3M12 17h.01',
  up: 'm18 15-6-6-6 6',
  down: 'm6 9 6 6 6-6',
  left: 'm15 18-6-6 6-6',
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
} as const

/** The icons of screens and actions that a report does not have. */
const livePaths = {
  right: 'm9 18 6-6-6-6',
  bookmark: 'm19 21-7-4-7 4V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2z',
  test: 'M4 14a1 1 0 0 1-.8-1.6l10-10.2a.5.5 0 0 1 .8.4l-2 6A1 1 0 0 0 13 10h7a1 1 0 0 1 .8 1.6l-10 10.2a.5.5 0 0 1-.8-.4l2-6A1 1 0 0 0 11 14z',
  account:
    'M4 12v8a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8M2 7l2.4-4h15.2L22 7v1a3 3 0 0 1-5 2 3.3 3.3 0 0 1-5 0 3.3 3.3 0 0 1-5 0 3 3 0 0 1-5-2zM2 7h20M15 22v-4a2 2 0 0 0-2-2h-2a2 2 0 0 0-2 2v4',
  connect: 'M12 22v-5M9 8V2M15 8V2M18 8v5a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V8z',
  sandbox: 'M4 21v-7M4 10V3M12 21v-9M12 8V3M20 21v-5M20 12V3M2 14h4M10 8h4M18 16h4',
  documents:
    'M12 7v14M3 18a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h5a4 4 0 0 1 4 4 4 4 0 0 1 4-4h5a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-6a3 3 0 0 0-3 3 3 3 0 0 0-3-3z',
  download: 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5',
  commands: 'm4 17 6-6-6-6M12 19h8',
  add: 'M5 12h14M12 5v14',
} as const

const paths = { ...sharedPaths, ...(CAN_ACT ? livePaths : {}) } as typeof sharedPaths & typeof livePaths

export type IconName = keyof typeof paths

/** A decorative icon in the color of its text. The word beside it has the same meaning. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
