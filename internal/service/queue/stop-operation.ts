/** Stops an operation on many jobs: it acts on no further job, and what it has done stays done [jobs 17.7]. */
import type { Actor } from '#core/access/actor.ts'
import { operationCreator } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { notFound } from '#core/error.ts'
import { endOf, OPERATION_TURN_JOBS } from '#core/job/operation.ts'
import {
  deleteLeftJobs,
  endOperation,
  findOperation,
  type Operation,
  stopOperation as stopStatement,
} from '#store/operations.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

type OperationOf = Readonly<{ ws: string; id: string; caller: Principal }>

/** Finds an operation that the caller may see and stop. @throws {AppError} not_found */
export const requireOperation = async (
  { db }: Pick<Deps, 'db'>,
  { ws, id, caller }: OperationOf,
): Promise<Operation> => {
  const found = await findOperation(db, ws, id)
  const owner = operationCreator(caller)
  if (found === null || (owner !== null && found.createdBy !== owner)) throw notFound('Operation')
  return found
}

/** @returns the operation; one that had ended before stays as it is @throws {AppError} not_found */
export const stopOperation = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { actor, ...request }: OperationOf & Readonly<{ actor: Actor }>,
): Promise<Operation> => {
  const { ws, id } = request
  const { status } = await requireOperation(deps, request)
  if (status === 'running') {
    const audit = audited(deps, { ws, actor }, 'jobs.bulk_stopped', id)
    await deps.db.write([stopStatement(ws, id), audit, deleteLeftJobs(id, OPERATION_TURN_JOBS)], {
      retry: true,
    })
  }
  const stopped = await requireOperation(deps, request)
  if (stopped.status !== 'running') return stopped
  // every job had been handled, and only the end of the operation was left
  await deps.db.write([endOperation(id, endOf(stopped))], { retry: true })
  return requireOperation(deps, request)
}
