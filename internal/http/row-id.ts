/** A path id that is not a UUID is answered with 404 [wire 2.2]. */
import { type AppErrorOptions, notFound } from '#core/error.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isRowId = (id: string): boolean => UUID.test(id)

/**
 * @param options those of the error for an unknown id of this kind
 * @throws {AppError} not_found
 */
export const toRowId = (id: string, noun: string, options: AppErrorOptions = {}): string => {
  if (!isRowId(id)) throw notFound(noun, options)
  return id.toLowerCase()
}

/** @throws {AppError} not_found */
export const toJobId = (id: string): string => toRowId(id, 'Job')

/** The id of a session of the relay. @throws {AppError} not_found `session_not_found` */
export const toSessionId = (id: string): string =>
  toRowId(id, 'Session', { code: 'session_not_found' })
