/** The latest failures by what failed, so that one broken action does not hide the others. Pure. */
import type { Schemas } from '#sdk/client.ts'

type Job = Schemas['Job']

export type FailureGroup = Readonly<{
  /** The newest failure. */
  latest: Job
  /** Failures among those given. */
  count: number
}>

/** Groups failures, newest first, by app and action. The group with the newest failure is first. */
export const failureGroups = (failures: readonly Job[]): readonly FailureGroup[] => {
  const groups = new Map<string, FailureGroup>()
  for (const job of failures) {
    const name = `${job.app}/${job.action}`
    const known = groups.get(name)
    groups.set(name, { latest: known?.latest ?? job, count: (known?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}
