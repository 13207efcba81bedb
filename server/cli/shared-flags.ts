export const jsonFlag = {
  kind: 'switch',
  text: 'print JSON and nothing else on stdout',
  group: 'Output',
} as const

export const limitFlag = { kind: 'text', value: '<n>', text: 'how many, 1 to 1000 (100)' } as const

export const accountFlag = { kind: 'text', value: '<id|name>', text: 'only this account' } as const

export const sandboxFlag = {
  kind: 'text',
  value: '<url>',
  text: 'address of the sandbox (PAYLINK_URL, or else this machine, at the port configured for start)',
  group: 'The sandbox',
} as const

export const adminTokenFlag = {
  kind: 'text',
  value: '<token>',
  text: 'admin token of the sandbox, if it requires one (PAYLINK_ADMIN_TOKEN)',
  group: sandboxFlag.group,
} as const

/** The flags of every command that uses a running sandbox. */
export const connectionFlags = {
  sandbox: sandboxFlag,
  'admin-token': adminTokenFlag,
  json: jsonFlag,
} as const

/** For the help of commands that take a link. */
export const LINK_NOTE = ['<link> is an id, a link_id, pay:<pay_id>, or a whole pay link.']
