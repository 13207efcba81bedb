import { flagsUnderHeading } from '../../runtime/config/flags.ts'
import type { FlagsOf } from '../command.ts'
import { verdictFlags } from '../reports/verdict-flags.ts'
import { jsonFlag } from '../shared-flags.ts'

export const DEFAULT_RATE = '20/min'
export const DEFAULT_CALL_TIMEOUT = '30s'
export const DEFAULT_PAY_TIMEOUT = '10m'
export const DEFAULT_WEBHOOK_TIMEOUT = '30s'

/** Flags for calls of the service. They are not needed for recorded calls. */
export const callFlags = {
  'key-env': {
    kind: 'text',
    value: '<name>',
    text: 'environment variable that has the development key',
  },
  recipient: {
    kind: 'text',
    value: '<token>',
    text: 'recipient token of another account, to also check split links',
  },
  yes: { kind: 'switch', text: 'make the calls' },
  rate: {
    kind: 'text',
    value: '<rate>',
    text: `maximum rate of calls, like 20/min or 5/s (${DEFAULT_RATE})`,
  },
  'max-calls': { kind: 'text', value: '<n>', text: 'stop after this many calls' },
  timeout: {
    kind: 'text',
    value: '<time>',
    text: `how long a call may take, like 5s (${DEFAULT_CALL_TIMEOUT})`,
  },
} as const

/** Flags for the payments of `--pay`. */
export const paymentFlags = {
  'pay-command': {
    kind: 'text',
    isVerbatim: true,
    value: '<command>',
    text: 'shell command to run for each link, with the variables PAYLINK_PAY_LINK and PAYLINK_ACTION (pay or cancel)',
  },
  receiver: {
    kind: 'text',
    value: '<url>',
    text: 'address where the service reaches this machine: a tunnel of a sandbox (https://…/tunnel/<name>), or a tunnel of another program to the port in --port',
  },
  port: {
    kind: 'text',
    value: '<n>',
    text: 'port on this machine for redirects and webhooks (a free one)',
  },
  'pay-timeout': {
    kind: 'text',
    value: '<time>',
    text: `how long to wait for you to pay a link, up to 60m (${DEFAULT_PAY_TIMEOUT})`,
  },
  'webhook-timeout': {
    kind: 'text',
    value: '<time>',
    text: `how long to wait for a webhook, and then for its retry, up to 60m (${DEFAULT_WEBHOOK_TIMEOUT})`,
  },
} as const

export const calibrateFlags = {
  plan: { kind: 'switch', text: 'only list the calls, what each creates, and which open points it decides' },
  only: { kind: 'list', value: '<name>,…', text: 'only these open points; repeatable' },
  ...flagsUnderHeading('The real service', {
    target: {
      kind: 'text',
      value: '<origin>',
      text: 'address of the development environment, like https://dev.pay.example',
    },
    ...callFlags,
    from: {
      kind: 'text',
      value: '<file>',
      text: 'evaluate the calls in this HAR file instead of making calls; with --target, only calls to that address',
    },
  }),
  ...flagsUnderHeading('Payments at the real service', {
    pay: {
      kind: 'switch',
      text: 'print links that you pay or cancel, and evaluate their redirects and webhooks',
    },
    ...paymentFlags,
  }),
  ...flagsUnderHeading('The result', {
    file: {
      kind: 'text',
      value: '<file>',
      text: 'file for the result (paylink.calibration.json)',
    },
    check: {
      kind: 'switch',
      text: 'compare with the result of an earlier run, and change no file; for CI',
    },
    write: {
      kind: 'switch',
      text: 'set the behaviors of the service in the configuration file, which must be JSON',
    },
    config: { kind: 'text', value: '<file>', text: 'configuration file (the file that start uses)' },
  }),
  json: jsonFlag,
  ...flagsUnderHeading(jsonFlag.group, {
    har: {
      kind: 'text',
      value: '<file>',
      text: 'save every call and its answer as a HAR file, without keys',
    },
    ...verdictFlags,
  }),
} as const

export type CalibrateFlags = FlagsOf<typeof calibrateFlags>
