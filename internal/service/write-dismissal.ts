/** Dismisses or restores failed jobs or flow runs, with an entry in the audit log [jobs 17.8] [flows 13.6]. */

import type { Actor } from '#core/access/actor.ts'
import { operationCreator } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import type { Statement } from '#store/database.ts'
import type { Dismissal } from '#store/jobs/dismissals.ts'
import { audited } from './audited.ts'
import type { Deps } from './deps.ts'

export type DismissDeps = Pick<Deps, 'db' | 'newId'>

export type DismissRequest = Readonly<{
  ws: string
  caller: Principal
  actor: Actor
  /** False restores what was dismissed. */
  isDismissed: boolean
}>

/** What is dismissed: jobs or flow runs. */
export type Dismissable = Readonly<{
  /** The prefix of the actions in the audit log. */
  noun: 'job' | 'flow_run'
  insert: (dismissal: Dismissal, identity: string) => Statement
  remove: (dismissal: Dismissal) => Statement
}>

/**
 * Changes those of `ids` that have failed; for a member, only the member's own.
 * @param target for the audit log
 * @returns how many it changed
 */
export const writeDismissal = async (
  deps: DismissDeps,
  { ws, caller, actor, isDismissed }: DismissRequest,
  {
    ids,
    target,
    of: { noun, insert, remove },
  }: Readonly<{ ids: readonly string[]; target: string; of: Dismissable }>,
): Promise<number> => {
  const dismissal = { ws, ids, createdBy: operationCreator(caller) }
  const change = isDismissed ? insert(dismissal, caller.identity) : remove(dismissal)
  const action = isDismissed ? (`${noun}.dismissed` as const) : (`${noun}.undismissed` as const)
  const { changed } = await deps.db.write({
    changed: change,
    audit: audited(deps, { ws, actor }, action, target),
  })
  return changed.changes
}
