/** The id of a row's element. */
export const rowId = (seq: number): string => `event-${seq}`
