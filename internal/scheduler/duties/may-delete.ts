/** Whether a sweep may delete now. Each sweep asks before each of its writes. */
import type { Deps } from '#service/deps.ts'
import type { Leadership } from '#service/nodes/lead.ts'
import { isClockDoubtful } from '#store/nodes/clock-jumps.ts'
import { isImportUnderWay } from '#store/workspaces/held.ts'

export type SweepingDeps = Pick<Deps, 'db'> & Readonly<{ leadership: Leadership }>

/**
 * True on the node that leads, unless a workspace is being imported, because an import compares its rows with its file, or the
 * clock may be wrong, by which everything would be old.
 */
export const mayDelete = async ({ db, leadership }: SweepingDeps): Promise<boolean> =>
  !(await isImportUnderWay(db)) && !(await isClockDoubtful(db)) && (await leadership.claim())
