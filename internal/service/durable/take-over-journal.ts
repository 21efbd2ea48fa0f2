/**
 * Each attempt of a flow step is a job of its own. Before its script starts, the job takes over the journal of the attempt before, so
 * that no finished step runs again [durable 1.8].
 */
import { chunksOf } from '#core/chunks-of.ts'
import { JOURNAL_PAGE_BYTES } from '#core/durable/limits.ts'
import type { Database, Statement } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import {
  type EarlierAttempt,
  listEarlierAttempts,
  markTakenOver,
  takeOverCalled,
  takeOverEvents,
  takeOverStep,
} from '#store/jobs/earlier-attempts.ts'
import {
  findStep,
  type HistoryRow,
  insertHistory,
  listHistory,
  listStepPage,
  STEPS_START,
  type StepRow,
} from '#store/jobs/steps.ts'
import type { Deps } from '../deps.ts'
import { createPace, type Pace } from '../portions/pace.ts'
import { readInPortions } from '../portions/read-portions.ts'
import { type StepCipher, stepCipher } from './cipher.ts'
import type { JournalOf } from './read-journal.ts'

type TakeOverDeps = Pick<Deps, 'db' | 'keyring'>

/** The journal that is taken over. Its texts are encrypted for the job that wrote them. */
type Source = Readonly<{ id: string; cipher: StepCipher; pace: Pace }>

/** Rows that are written at once. */
const ROWS = 100

/** Returns whether the journal of this job may hold entries, its own or those of an earlier attempt. */
export const mayHaveJournal = ({ attempt, flow }: ClaimedJob): boolean =>
  attempt > 1 || (flow !== null && flow.attempt > 1)

/** @throws {AppError} conflict: the job is lost */
export const takeOverJournal = async (
  deps: TakeOverDeps,
  of: JournalOf,
  lostJob: () => Error,
): Promise<void> => {
  const { job } = of
  if (job.flow === null || job.flow.attempt <= 1) return
  const earlier = await listEarlierAttempts(deps.db, job, job.flow)
  const whole = earlier.findIndex(({ isWhole }) => isWhole)
  const sources = whole === -1 ? earlier : earlier.slice(0, whole + 1)
  const first = sources.at(-1)
  if (first === undefined) return
  for (const source of sources) await takeOver(deps, of, source)
  const { marked } = await deps.db.write({ marked: markTakenOver(job, first.id) }, { retry: true })
  if (marked.rows.length === 0) throw lostJob()
}

const takeOver = async (
  { db, keyring }: TakeOverDeps,
  of: JournalOf,
  { id }: EarlierAttempt,
): Promise<void> => {
  const source = { id, cipher: stepCipher(keyring, { ...of.job, jobId: id }), pace: createPace() }
  await takeOverSteps(db, of, source)
  await takeOverHistory(db, of, source)
  await db.write([takeOverEvents(of.job, id)], { retry: true })
}

const takeOverSteps = async (db: Database, of: JournalOf, source: Source): Promise<void> => {
  for (let after = STEPS_START; ; ) {
    const page = await listStepPage(db, source.id, { after, maxBytes: JOURNAL_PAGE_BYTES })
    const last = page.at(-1)
    if (last === undefined) return
    after = last
    // a wait ended with its job, so the step begins again
    const rows = page.filter(({ kind, status }) => kind !== 'event' || status !== 'running')
    for (const some of chunksOf(rows, ROWS)) {
      await db.write(await toStatements(of, source, some), { retry: true })
    }
    for (const row of rows) if (isOpenCall(row)) await takeOverEndedCall(db, of, source, row)
  }
}

const isOpenCall = ({ kind, status }: StepRow): boolean => kind === 'job' && status === 'running'

/** Takes over a call that has ended since the step was read. */
const takeOverEndedCall = async (
  db: Database,
  of: JournalOf,
  source: Source,
  { name }: StepRow,
): Promise<void> => {
  if ((await findStep(db, of.job.id, name)) !== null) return
  const ended = await findStep(db, source.id, name)
  if (ended !== null) await db.write(await toStatements(of, source, [ended]), { retry: true })
}

const toStatements = async (
  { job, cipher }: JournalOf,
  source: Source,
  rows: readonly StepRow[],
): Promise<readonly Statement[]> => {
  const statements: Statement[] = []
  for (const row of rows) {
    const { name, result, error } = row
    const again = (field: 'result' | 'error', text: string | null): string | null =>
      text === null ? null : cipher.seal(name, field, source.cipher.open(name, field, text))
    const texts = { result: again('result', result), error: again('error', error) }
    statements.push(takeOverStep(job, source.id, { ...row, ...texts }))
    if (isOpenCall(row)) statements.push(...takeOverCalled(job, source.id, row))
    await source.pace((result?.length ?? 0) * 2)
  }
  return statements
}

const takeOverHistory = async (
  db: Database,
  { job, cipher }: JournalOf,
  source: Source,
): Promise<void> => {
  const rows = await readInPortions<HistoryRow>(db, ROWS, (after, limit) =>
    listHistory(db, source.id, { after, limit }),
  )
  for (const some of chunksOf(rows, ROWS)) {
    const statements: Statement[] = []
    for (const { first, entries } of some) {
      const place = String(first)
      const text = source.cipher.open(place, 'history', entries)
      statements.push(insertHistory(job, { first, entries: cipher.seal(place, 'history', text) }))
      await source.pace(text.length * 2)
    }
    await db.write(statements, { retry: true })
  }
}
