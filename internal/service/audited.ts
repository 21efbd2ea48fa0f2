/** The audit entry of a change. */

import type { Actor } from '#core/access/actor.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import type { Statement } from '#store/database.ts'
import type { Deps } from './deps.ts'

/** The workspace, null for a change of the instance, and the caller. */
export type Change = Readonly<{ ws: string | null; actor: Actor }>

/**
 * Returns the statement that records a change. It must directly follow the statement of the change, and writes nothing if
 * that changed no row.
 * @param action for example `schedule.changed` [access 19]
 * @param target the id or name of what changed
 */
export const audited = (
  { newId }: Pick<Deps, 'newId'>,
  { ws, actor }: Change,
  action: string,
  target: string,
): Statement => insertAuditEntryIfChanged({ id: newId(), ws, actor, action, target })
