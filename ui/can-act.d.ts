/**
 * True in the inspector, false in a report, which has no sandbox to act on. The build replaces the name with its value, and
 * removes the unused branch. Components that a report lacks need no condition, because they are in files `….live.tsx`.
 */
declare const CAN_ACT: boolean
