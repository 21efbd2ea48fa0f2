/** A path id that is not a UUID is answered with 404 [wire 2.2]. */
import { notFound } from '#core/error.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isRowId = (id: string): boolean => UUID.test(id)

/** @throws {AppError} not_found */
export const toRowId = (id: string, noun: string): string => {
  if (!isRowId(id)) throw notFound(noun)
  return id.toLowerCase()
}

/** @throws {AppError} not_found */
export const toJobId = (id: string): string => toRowId(id, 'Job')
