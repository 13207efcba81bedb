/**
 * True in the inspector, false in a report, which has no sandbox to control. The build replaces the name with its value, so a
 * report contains no code for actions.
 */
declare const CAN_ACT: boolean
