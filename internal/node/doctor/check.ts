/** The result of a check of something that svc needs. */
export type CheckResult = Readonly<{
  ok: boolean
  /** What was found. */
  found: string
  /** How to fix it, if something is broken. */
  remedy?: string
  /** What works, but could work better. */
  notes?: readonly string[]
}>

/** Makes the result of a check that passed. */
export const fine = (found: string, notes: readonly string[] = []): CheckResult => ({
  ok: true,
  found,
  ...(notes.length === 0 ? {} : { notes }),
})

/** Makes the result of a check that failed, with its remedy. */
export const broken = (found: string, remedy: string): CheckResult => ({ ok: false, found, remedy })

/** Returns the message of anything that was thrown. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
