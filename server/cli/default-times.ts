/** The defaults of flags that are durations, written as a user writes them. Help and commands use them. */
export const defaultTimes = {
  wait: '5s',
  settle: '5s',
  suiteRun: '10m',
  serviceCall: '30s',
  servicePayment: '10m',
  serviceWebhook: '30s',
} as const
