/** A change that a unit of work made outside of the database, such as the file of a snapshot. */
export interface SideEffect {
  onCommit(): void
  onRollback(): void
}
