/** Something that a unit of work changed outside the database, such as the file of a snapshot. */
export interface SideEffect {
  onCommit(): void
  onRollback(): void
}
