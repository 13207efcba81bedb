/** A change outside the database that belongs to a unit of work, such as a snapshot's file. */
export interface SideEffect {
  onCommit(): void
  onRollback(): void
}
