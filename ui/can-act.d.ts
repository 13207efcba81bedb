/**
 * True in the inspector, false in a report, which has no sandbox to act on. The build replaces the name by its value,
 * so that a report contains no code that acts.
 */
declare const CAN_ACT: boolean
