import { notFound } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import type { WithFlows } from '#service/flows/engine.ts'
import { type RunDetail, readRun } from '#service/flows/read-run.ts'
import { toRowId } from './row-id.ts'

export const toRunId = (id: string): string => toRowId(id, 'Flow run')

/** @throws {AppError} not_found */
export const requireRun = async (
  deps: Pick<Deps, 'db' | 'keyring'> & WithFlows,
  ws: string,
  id: string,
): Promise<RunDetail> => {
  const run = await readRun(deps, ws, id)
  if (run === null) throw notFound('Flow run')
  return run
}
