/**
 * Which job a caller may know of. A customer key reads the jobs of its own customer; of any other, and of one that does
 * not exist, it hears the same 403 [access 11.6], so that it cannot find out which ids there are.
 */

import type { Principal } from '#core/access/principal.ts'
import { type AppError, forbidden, notFound } from '#core/error.ts'
import { toJobId } from './schemas/job-id.ts'

const notOwn = (): AppError =>
  forbidden('A customer key reads its own jobs only.', { code: 'customer_key' })

/**
 * A row that was looked up for `principal`, when it may see it.
 * @throws {AppError} not_found; forbidden for a customer key
 */
export const readableJob = <Row extends Readonly<{ customerId: string | null }>>(
  principal: Principal,
  row: Row | null,
): Row => {
  if (principal.kind === 'customer_key') {
    if (row === null || row.customerId !== principal.customerId) throw notOwn()
    return row
  }
  if (row === null) throw notFound('Job')
  return row
}

/** @throws {AppError} not_found: no UUID; forbidden for a customer key */
export const readableJobId = (principal: Principal, id: string): string => {
  try {
    return toJobId(id)
  } catch (error) {
    throw principal.kind === 'customer_key' ? notOwn() : error
  }
}
