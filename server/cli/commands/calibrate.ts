import { calibrateFlags } from '../calibrate/calibrate-flags.ts'
import { command } from '../command.ts'

export const calibrate = command({
  text: 'find out what the real service does where the API reference is silent',
  flags: calibrateFlags,
  examples: [
    'calibrate --plan',
    'calibrate --plan --only errorStatus,payId --json',
    'calibrate --target https://dev.pay.example --key-env DEV_KEY --yes',
    'calibrate --from recorded.har',
  ],
  exitCodes:
    '0: the service agrees. 1: something differs, or an answer is missing. 2: usage error. 3: no answer could be compared.',
  // Loaded only when the command runs, so that `help` stays fast.
  run: async (input, io) => (await import('../calibrate/run-calibrate.ts')).runCalibrate(input, io),
})
