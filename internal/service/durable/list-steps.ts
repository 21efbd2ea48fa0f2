/** Lists the durable steps of a job for people. */
import { JsonText } from '#core/json/text.ts'
import { type ListedStep, listSteps } from '#store/jobs/listed-steps.ts'
import { hasStepsAfter, type StepPosition } from '#store/jobs/steps.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { stepCipher } from './cipher.ts'

/** Bytes of encrypted texts in one page. */
const MAX_PAGE_BYTES = 4_194_304

export type OpenedStep = Omit<ListedStep, 'result' | 'error'> &
  Readonly<{
    /** Whether no event came in time; of an event wait that has ended. */
    timedOut?: boolean
    result?: JsonText
    error?: JsonText
  }>

export type StepList = Readonly<{
  steps: readonly OpenedStep[]
  /** Where the next page begins; null on the last page. */
  next: readonly [number, string] | null
}>

export type StepQuery = Readonly<{
  ws: string
  id: string
  after: StepPosition
  limit: number
  /** Whether the caller may read results and errors. */
  mayRead: boolean
}>

/** Lists steps in order. @throws {Error} a text was changed or moved in the database */
export const listJobSteps = async (
  { db, keyring }: Pick<Deps, 'db' | 'keyring'>,
  { ws, id, after, limit, mayRead }: StepQuery,
): Promise<StepList> => {
  const rows = await listSteps(db, { ws, id }, { after, limit, maxBytes: MAX_PAGE_BYTES })
  const owner = mayRead && rows.length > 0 ? await findWorkspace(db, ws) : null
  const cipher = owner === null ? null : stepCipher(keyring, { ...owner, ws, jobId: id })
  const open = (name: string, field: 'result' | 'error', text: string | null) =>
    cipher === null || text === null
      ? {}
      : { [field]: new JsonText(cipher.open(name, field, text)) }
  const last = rows.at(-1)
  return {
    steps: rows.map(({ result, error, ...step }) => ({
      ...step,
      ...(step.kind === 'event' && step.status === 'success' ? { timedOut: result === null } : {}),
      ...open(step.name, 'result', result),
      ...open(step.name, 'error', error),
    })),
    next:
      last !== undefined && (await hasStepsAfter(db, id, last)) ? [last.position, last.name] : null,
  }
}
