/** Parses the id of a job in a path, without revealing to customers which jobs exist. */
import { unreadableJob } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { isRowId, toJobId } from './row-id.ts'

/** @throws {AppError} not_found: the text is not a UUID; forbidden for a customer key */
export const readableJobId = (principal: Principal, id: string): string => {
  if (!isRowId(id)) throw unreadableJob(principal)
  return toJobId(id)
}
