import {
  callerOptions,
  checkFlag,
  localReceiverOptions,
  receiverOptions,
  sharedOptions,
} from '../../contract/checks/check-options.ts'
import { curlCommand, quoteIfNeeded } from '../../domain/http/curl.ts'
import { portOf } from '../../domain/network/urls.ts'
import {
  commentLine,
  makesOrder,
  preparation,
  type FailureTest,
  type LinkAction,
  type TestStep,
} from './failure-test.ts'

/** Writes a failure as a shell script with curl and the command line. */
export function writeShell(failure: FailureTest): string {
  const { name, about, sandbox, steps } = failure
  const { seed, maps, allowedHosts, url } = sandbox
  const flags = [
    ...(url === null ? [] : [`--port ${portOf(new URL(url))}`]),
    ...maps.map(({ from, to }) => `--map=${quoteIfNeeded(`${from}=${to}`)}`),
    ...allowedHosts.map((host) => `--allow-host=${quoteIfNeeded(host)}`),
  ]
  return [
    '#!/bin/sh',
    ...about.map((line) => `# ${commentLine(line)}`.trimEnd()),
    '#',
    ...preparation(url, 'script').map((line) => `# ${line}`),
    '# It needs Node.js and curl.',
    ...(makesOrder(failure)
      ? [
          '#',
          '# ORDER_URL is the address in your app that places an order on POST, with the body ORDER_BODY. Without it, the script',
          '# creates the payment link itself, and your app does not know the order.',
        ]
      : []),
    '#',
    `# sh ${name}.sh`,
    'set -eu',
    '',
    'if [ -z "${IN_SANDBOX-}" ]; then',
    '  seed=$(mktemp)',
    '  trap \'rm -f "$seed"\' EXIT',
    '  cat >"$seed" <<\'END_OF_SEED\'',
    JSON.stringify(seed, null, 2),
    'END_OF_SEED',
    '  status=0',
    `  IN_SANDBOX=1 npx paylink-sandbox exec --quiet ${flags.join(' ')} --seed "$seed" -- sh "$0" || status=$?`,
    '  exit "$status"',
    'fi',
    '',
    'control() {',
    '  curl --fail-with-body --silent --show-error -X "$1" "$PAYLINK_URL/_sandbox/v1$2" \\',
    '    -H \'content-type: application/json\' ${3+--data "$3"}',
    '}',
    ...(makesOrder(failure)
      ? ['', ...API_FUNCTIONS, '', `account=${quoteIfNeeded(seed.accounts?.[0]?.id ?? '')}`]
      : []),
    '',
    ...steps.flatMap((step) => stepLines(step)),
    'echo passed',
    '',
  ].join('\n')
}

const API_FUNCTIONS = [
  'call() {',
  '  curl --fail-with-body --silent --show-error "$PAYLINK_URL/api/v2/$1" -H "token: $PAYLINK_API_KEY" \\',
  '    -H \'content-type: application/json\' --data "$2"',
  '}',
  '',
  '# Reads a value of JSON: field .id',
  'field() {',
  "  node -p \"JSON.parse(require('fs').readFileSync(0, 'utf8'))$1 ?? ''\"",
  '}',
  '',
  'newest_link() {',
  '  control GET "/links?account=$account&limit=1" | field .links[0]?.id',
  '}',
  '',
  'open_page() {',
  '  code=$(curl --silent --show-error --output /dev/null --write-out \'%{http_code}\' "$1")',
  '  if [ "$code" -ge 500 ]; then echo "$1 answered $code" >&2; exit 1; fi',
  '}',
]

function stepLines(step: TestStep): string[] {
  switch (step.kind) {
    case 'check':
      return [checkCommand(step)]
    case 'fault': {
      const body = quoteIfNeeded(JSON.stringify({ on: step.on, script: step.script }))
      const command = `control POST "/faults?account=$account" ${body} >/dev/null`
      return [step.isOfApp ? `if [ -n "\${ORDER_URL-}" ]; then ${command}; fi` : command]
    }
    case 'create':
      return createLines(step)
    case 'pay':
      return visited('pay', { method: step.method, browser: step.browser }, step.returns)
    case 'cancel':
      return visited('cancel', { browser: step.browser }, step.returns)
    case 'act':
      return [`${ACTIONS[step.action]} >/dev/null`]
    case 'refund':
      return [
        `call refundPayment "{\\"pay_id\\":$pay_id,\\"refund_amount\\":${step.amount},\\"isFullRefund\\":${step.full}}" | grep '"ResponseCode":1' >/dev/null`,
      ]
    case 'resend':
      return [
        `call sendWebhookViaPayId "{\\"pay_ids\\":\\"$pay_id\\",\\"status\\":\\"${step.status}\\"}" >/dev/null`,
        'npx paylink-sandbox settle >/dev/null',
      ]
    case 'replay':
      return [
        'delivery=$(control GET "/deliveries?link=$link&limit=1" | field .deliveries[0].id)',
        'control POST "/deliveries/$delivery/replay" \'{}\' >/dev/null',
      ]
    case 'forge':
      return [
        `control POST "/links/$link/forged-webhook" ${quoteIfNeeded(JSON.stringify({ forgery: step.forgery, status: step.status }))} >/dev/null`,
      ]
    case 'clock':
      return [
        `control PUT /clock ${quoteIfNeeded(JSON.stringify({ now: step.now, mode: step.mode }))} >/dev/null`,
      ]
    case 'call': {
      // Replaces the whole address of the sandbox, because `Host` may contain anything.
      const path = step.request.url.replace(/^\w+:\/\/[^/?#]*/, '')
      const command = curlCommand({ ...step.request, url: PLACEHOLDER + path })
      return [
        `${command.replace(`'${PLACEHOLDER}`, `"$PAYLINK_URL"'`)} --silent --show-error |`,
        `  grep '"ResponseCode": *1' >/dev/null || { echo 'The call was refused.' >&2; exit 1; }`,
      ]
    }
    case 'expect-delivered':
      return [
        'npx paylink-sandbox settle',
        'failed=$(control GET "/deliveries?link=$link" | field ".deliveries.filter(({ state }) => state !== \'delivered\').length")',
        'if [ "$failed" != 0 ]; then echo "$failed webhooks were not delivered" >&2; exit 1; fi',
      ]
  }
}

/** The placeholder for the address of the sandbox. */
const PLACEHOLDER = 'http://sandbox.invalid'

function createLines({ fields }: Extract<TestStep, { kind: 'create' }>): string[] {
  const {
    amount,
    note,
    recipients = [],
    splitType,
    callbackUrl,
    paymentEndpoint,
    cancellable,
    bankTransfer,
  } = fields
  const flags = [
    `--amount ${amount}`,
    ...(note === undefined ? [] : [`--note=${quoteIfNeeded(note)}`]),
    ...recipients.map(({ token, share }) => `--recipient=${quoteIfNeeded(`${token}=${share}`)}`),
    ...(recipients.length > 0 && splitType !== undefined ? [`--split-type ${splitType}`] : []),
    ...(callbackUrl === undefined ? [] : [`--callback-url=${quoteIfNeeded(callbackUrl)}`]),
    ...(paymentEndpoint === undefined ? [] : [`--payment-endpoint=${quoteIfNeeded(paymentEndpoint)}`]),
    ...(cancellable === false ? ['--not-cancellable'] : []),
    ...(bankTransfer ? ['--bank-transfer'] : []),
  ]
  return [
    'if [ -n "${ORDER_URL-}" ]; then',
    '  body=${ORDER_BODY-"{}"}',
    '  case $body in "{"*) type=application/json ;; *) type=application/x-www-form-urlencoded ;; esac',
    '  before=$(newest_link)',
    '  curl --silent --show-error --output /dev/null "$ORDER_URL" -H "content-type: $type" --data "$body"',
    '  link=$(newest_link)',
    '  if [ "$link" = "$before" ]; then echo "$ORDER_URL created no payment link" >&2; exit 1; fi',
    'else',
    `  link=$(npx paylink-sandbox create --account="$account" ${flags.join(' ')} --json | field .id)`,
    'fi',
    'pay_id=$(control GET "/links/$link" | field .payId)',
  ]
}

const ACTIONS: Readonly<Record<LinkAction, string>> = {
  decline: 'control POST "/links/$link/decline" \'{}\'',
  deleteLink: 'control DELETE "/links/$link"',
  approveTransfer: 'control POST "/links/$link/approve-transfer" \'{}\'',
  rejectTransfer: 'control POST "/links/$link/reject-transfer" \'{}\'',
  approveRefund: 'control POST "/refunds/$pay_id/approve" \'{}\'',
  rejectRefund: 'control POST "/refunds/$pay_id/reject" \'{}\'',
  openDispute: 'control PUT "/links/$link/dispute" \'{}\'',
  winDispute: 'control DELETE "/links/$link/dispute?outcome=won"',
  loseDispute: 'control DELETE "/links/$link/dispute?outcome=lost"',
}

function visited(verb: string, body: object, returns: boolean): string[] {
  const command = `control POST "/links/$link/${verb}" ${quoteIfNeeded(JSON.stringify(body))}`
  return returns ? [`open_page "$(${command} | field .redirect.location)"`] : [`${command} >/dev/null`]
}

/** Leaves out other options that select cases, because a test runs only one case. */
const {
  skip: _skip,
  quick: _quick,
  ...REPEATED
} = {
  ...sharedOptions,
  ...receiverOptions,
  ...localReceiverOptions,
  ...callerOptions,
}

function checkCommand({ isCaller, url, options, module }: Extract<TestStep, { kind: 'check' }>): string {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(REPEATED, name) || value === undefined) return []
    const text = REPEATED[name as keyof typeof REPEATED].kind === 'time' ? `${value}ms` : String(value)
    return [`--${checkFlag(name)}=${quoteIfNeeded(text)}`]
  })
  return [
    'npx paylink-sandbox check',
    ...(isCaller ? ['--caller', `--order-url=${quoteIfNeeded(url)}`] : []),
    ...flags,
    ...(module === undefined ? [] : [`--order-state-module=${quoteIfNeeded(module)}`]),
    '--details',
    // After two dashes, a text that begins with a dash is not a flag.
    ...(isCaller ? [] : ['--', quoteIfNeeded(url)]),
  ].join(' ')
}
