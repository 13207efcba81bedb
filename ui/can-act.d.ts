/**
 * Whether there is a sandbox to act on: a report is the same pages without one. The build writes the value in
 * the place of the name, and leaves out what only the other needs.
 */
declare const CAN_ACT: boolean
