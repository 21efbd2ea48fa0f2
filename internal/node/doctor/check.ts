/** One thing that svc needs from its surroundings. */
export type CheckResult = Readonly<{
  ok: boolean
  /** What was found. */
  found: string
  /** What to do about it, where something is broken. */
  remedy?: string
  /** What works, but less well than it could. */
  notes?: readonly string[]
}>

/** Makes the result of a check that passed. */
export const fine = (found: string, notes: readonly string[] = []): CheckResult => ({
  ok: true,
  found,
  ...(notes.length === 0 ? {} : { notes }),
})

/** Makes the result of a check that failed, with what a person has to do. */
export const broken = (found: string, remedy: string): CheckResult => ({ ok: false, found, remedy })

/** Returns the message of anything that was thrown. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
