/** Finds a schedule by what `svc schedules` lists: its ID, or its app and key. */
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { listAll, MAX_ROWS } from '#cli-client/list-all.ts'
import { nearestTo } from '#core/edit-distance.ts'
import { UsageError } from './exit.ts'

const listed = z.looseObject({
  items: z.array(
    z.looseObject({
      id: z.string(),
      // older servers have none
      key: z.string().nullish(),
      managed_key: z.string().nullable(),
    }),
  ),
})

/** The positional argument of a command for one schedule. */
export const SCHEDULE_ARGUMENT = 'Schedule ID, or <app>/<key>'

/**
 * Returns the ID of a schedule. An ID is not looked up.
 * @param connect returns the client; it is not called for an ID
 * @param named an ID, or `<app>/<key>`
 * @throws {UsageError} the app has no schedule of this key, or two: one of its manifest and one that was created
 */
export const scheduleId = async (connect: () => Client, named: string): Promise<string> => {
  const [app = '', ...rest] = named.split('/')
  if (rest.length === 0) return named
  const key = rest.join('/')
  const pages = await listAll(
    connect(),
    listed,
    `/schedules?limit=${MAX_ROWS}&app=${encodeURIComponent(app)}`,
  )
  const rows = pages.flatMap(({ items }) => items)
  const keyOf = (row: (typeof rows)[number]): string | null => row.key ?? row.managed_key
  const found = rows.filter((row) => keyOf(row) === key)
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only.id
  if (only !== undefined) {
    const ids = found.map(({ id }) => id).join(' or ')
    throw new UsageError(`Two schedules of app "${app}" have the key "${key}". Use an ID: ${ids}.`)
  }
  const meant = nearestTo(
    key,
    rows.flatMap((row) => keyOf(row) ?? []),
  )
  const hint =
    meant === undefined ? '`svc schedules` lists keys and IDs.' : `Did you mean ${app}/${meant}?`
  throw new UsageError(`App "${app}" has no schedule "${key}". ${hint}`)
}
