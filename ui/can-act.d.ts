/**
 * True in the inspector, false in a report, which has no sandbox to control. The build replaces the name with its value, and
 * removes the branch that is not used. Components that a report lacks need no condition, because they are in files `….live.tsx`.
 */
declare const CAN_ACT: boolean
