/** Finds the jobs that a job has called, so that one batch can cancel thousands of them in portions. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listCalled } from '#store/jobs/cancel.ts'
import type { Deps } from '../deps.ts'

/** Jobs that one statement reads, which takes a few milliseconds. */
const PAGE = 1_000

/** @returns ids of the jobs that these jobs have called */
const calledBy = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  callers: readonly string[],
): Promise<readonly string[]> => {
  const ids: string[] = []
  let left = callers
  let after: string | null = null
  while (left.length > 0) {
    const page = await listCalled(db, { ws, callers: left, after, limit: PAGE })
    ids.push(...page.map(({ id }) => id))
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    left = left.slice(left.indexOf(last.calledBy))
    after = last.id
    await nextTurn()
  }
  return ids
}

/** Returns the ids of the jobs that these jobs have called, at any depth. */
export const findCalledJobs = async (
  deps: Pick<Deps, 'db'>,
  ws: string,
  callers: readonly string[],
): Promise<readonly string[]> => {
  const found = [...(await calledBy(deps, ws, callers))]
  for (let from = 0; from < found.length; from += PAGE) {
    await nextTurn()
    found.push(...(await calledBy(deps, ws, found.slice(from, from + PAGE))))
  }
  return found
}
