/** Reads the journal of a durable job for the attempt that continues it. */

import { JOURNAL_PAGE_BYTES } from '#core/durable/limits.ts'
import type { HistoryEntry, StepError } from '#core/durable/step.ts'
import { isSealed } from '#crypto/keyring.ts'
import type { JournalPage, JournalStep } from '#sandbox/durable-access.ts'
import type { Statement } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import {
  endDueSteps,
  type HistoryRow,
  hasStepsAfter,
  listHistory,
  listStepPage,
  type StepPosition,
  type StepRow,
  sealStep,
} from '#store/jobs/steps.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../portions/pace.ts'
import { readInPortions } from '../portions/read-portions.ts'
import type { StepCipher } from './cipher.ts'

type ReadDeps = Pick<Deps, 'db'>
export type JournalOf = Readonly<{ job: ClaimedJob; cipher: StepCipher }>

const parseError = (json: string): StepError => {
  const { name, message, code, details }: Partial<StepError> = JSON.parse(json)
  return {
    name: String(name ?? 'Error'),
    message: String(message ?? ''),
    ...(code === undefined ? {} : { code: String(code) }),
    ...(details === undefined ? {} : { details }),
  }
}

const isOver = ({ kind, status, dueInMs }: StepRow): boolean =>
  (kind === 'sleep' || kind === 'event') && status === 'running' && (dueInMs ?? 1) <= 0

/** Converts a row for the guest. A step that is due counts as ended. */
export const openRow = (cipher: StepCipher, row: StepRow): JournalStep => {
  const { name, result, error, childJobId, childRunId, isUnthrown: _, ...facts } = row
  const ofChild = {
    ...(childJobId === null ? {} : { jobId: childJobId }),
    ...(childRunId === null ? {} : { flowRunId: childRunId }),
  }
  const ended = { ...facts, status: 'success', dueInMs: null } as const
  return {
    ...(isOver(row) ? ended : facts),
    name,
    valueJson: result === null ? null : cipher.open(name, 'result', result),
    error: error === null ? null : { ...parseError(cipher.open(name, 'error', error)), ...ofChild },
  }
}

/** Ends steps that are due, and encrypts the results of called jobs and flow runs for this job, before the script gets them. */
const settle = async (
  { db }: ReadDeps,
  { job, cipher }: JournalOf,
  { rows, hasMore }: Readonly<{ rows: readonly StepRow[]; hasMore: boolean }>,
): Promise<void> => {
  const pace = createPace()
  const sealed: Statement[] = []
  for (const { name, result, error } of rows) {
    for (const [field, plain] of [['result', result] as const, ['error', error] as const]) {
      if (plain === null || isSealed(plain)) continue
      const own = cipher.seal(name, field, cipher.open(name, field, plain))
      sealed.push(sealStep(job, { name, plain, sealed: own }, field))
      await pace(plain.length)
    }
  }
  const batch = [...(hasMore || rows.some(isOver) ? endDueSteps(job) : []), ...sealed]
  if (batch.length > 0) await db.write(batch, { retry: true })
}

/** A page, and the steps in it with failures that no attempt has failed with yet. */
type ReadPage = JournalPage & Readonly<{ unthrown: readonly string[] }>

/** Reads the steps after a position, up to the size of a page. */
export const readPage = async (
  deps: ReadDeps,
  { after, ...of }: JournalOf & Readonly<{ after: StepPosition }>,
): Promise<ReadPage> => {
  const { id } = of.job
  const rows = await listStepPage(deps.db, id, { after, maxBytes: JOURNAL_PAGE_BYTES })
  const last = rows.at(-1)
  const hasMore = last !== undefined && (await hasStepsAfter(deps.db, id, last))
  await settle(deps, of, { rows, hasMore })
  const pace = createPace()
  const steps: JournalStep[] = []
  for (const row of rows) {
    const step = openRow(of.cipher, row)
    steps.push(step)
    await pace(step.valueJson?.length ?? 0)
  }
  const unthrown = rows.filter(({ isUnthrown }) => isUnthrown).map(({ name }) => name)
  return { steps, hasMore, unthrown }
}

/** Rows that are read at once of a server. */
const HISTORY_ROWS = 1_000

/** Reads all entries in order. A row holds those of one step. */
export const readHistory = async (
  { db }: ReadDeps,
  { job: { id }, cipher }: JournalOf,
): Promise<readonly HistoryEntry[]> => {
  const rows = await readInPortions<HistoryRow>(db, HISTORY_ROWS, (after, limit) =>
    listHistory(db, id, { after, limit }),
  )
  const pace = createPace()
  const all: HistoryEntry[] = []
  for (const { first, entries } of rows) {
    const some: readonly HistoryEntry[] = JSON.parse(cipher.open(String(first), 'history', entries))
    for (const entry of some) all.push(entry)
    await pace(entries.length)
  }
  return all
}
