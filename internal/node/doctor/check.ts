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

export const fine = (found: string, notes: readonly string[] = []): CheckResult => ({
  ok: true,
  found,
  ...(notes.length === 0 ? {} : { notes }),
})

export const broken = (found: string, remedy: string): CheckResult => ({ ok: false, found, remedy })

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
