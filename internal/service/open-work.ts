/**
 * Reports whether work that requests wait for is still open. Requests that poll at about the same time share a query, because
 * a query for each of a thousand waits would take much of a core.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { chunksOf } from '#core/chunks-of.ts'
import type { Database } from '#store/database.ts'
import { listOpenWork, type WorkPlace } from '#store/open-work.ts'

/** Milliseconds in which polls come together. */
const GATHER_MS = 10
/** Places of one query. They take about 2 ms of the event loop. */
const MOST_PLACES = 500

/** @throws {DatabaseError} */
type IsOpen = (place: WorkPlace) => Promise<boolean>

export type OpenWork = Readonly<{ isJobOpen: IsOpen; isRunOpen: IsOpen }>

const keyOf = ({ ws, id }: WorkPlace): string => `${ws}/${id}`

const gather = (list: (places: readonly WorkPlace[]) => Promise<readonly WorkPlace[]>): IsOpen => {
  let places: WorkPlace[] = []
  let answer: Promise<ReadonlySet<string>> | null = null
  const ask = async (): Promise<ReadonlySet<string>> => {
    await pass(GATHER_MS)
    const asked = places
    places = []
    answer = null
    const open = new Set<string>()
    for (const some of chunksOf(asked, MOST_PLACES)) {
      for (const found of await list(some)) open.add(keyOf(found))
    }
    return open
  }
  return async (place) => {
    places.push(place)
    answer ??= ask()
    return (await answer).has(keyOf(place))
  }
}

/** A process has one for each database. */
export const createOpenWork = (db: Database): OpenWork => ({
  isJobOpen: gather((places) => listOpenWork(db, 'jobs', places)),
  isRunOpen: gather((places) => listOpenWork(db, 'flow_runs', places)),
})
