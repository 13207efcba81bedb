/** The id of a row's DOM element. */
export const rowId = (seq: number): string => `event-${seq}`
