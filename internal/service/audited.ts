/** The audit entry of a change. */

import type { Actor } from '#core/access/actor.ts'
import { insertAuditEntryIfChanged, readAuditEntry } from '#store/audit-log.ts'
import type { Statement, StatementResult } from '#store/database.ts'
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

/**
 * Returns the same statement, and one that reads the entry. A write that is repeated after a lost answer changes no row the second
 * time; `isMade` recognizes it nevertheless.
 */
export const auditedOnce = (
  { newId }: Pick<Deps, 'newId'>,
  { ws, actor }: Change,
  action: string,
  target: string,
): Readonly<{ audit: Statement; recorded: Statement }> => {
  const id = newId()
  return {
    audit: insertAuditEntryIfChanged({ id, ws, actor, action, target }),
    recorded: readAuditEntry(id),
  }
}

/** Returns whether the write with the statements of `auditedOnce` made the change, at once or before its answer was lost. */
export const isMade = ({ recorded }: Readonly<{ recorded: StatementResult }>): boolean =>
  recorded.rows.length === 1
