/** The durable steps of a running job: returns what the job has recorded so far, and records more [durable 1 to 3]. */
import { MAX_STEPS, MAX_WAIT_MS } from '#core/durable/limits.ts'
import type { HistoryEntry, StepError } from '#core/durable/step.ts'
import { AppError, conflict, isTemporary } from '#core/error.ts'
import { errorNameOf } from '#core/job/error-name.ts'
import { canceledRun } from '#core/job/start-call.ts'
import {
  type BegunStep,
  type DurableAccess,
  EMPTY_JOURNAL,
  type Journal,
  type JournalPage,
  type StepBegin,
  type StepEnd,
} from '#sandbox/durable-access.ts'
import type { Statement } from '#store/database.ts'
import { takeEarlierEvent } from '#store/events/events.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { isClaimed } from '#store/jobs/guards.ts'
import { isRunning } from '#store/jobs/lease.ts'
import {
  beginStep,
  countSteps,
  failStep,
  findStep,
  type HistoryRow,
  insertJobWait,
  markBegan,
  recordStep,
  STEPS_START,
  type StepPosition,
} from '#store/jobs/steps.ts'
import { holds } from '#store/row.ts'
import type { Deps } from '../deps.ts'
import { type StepCipher, stepCipher } from './cipher.ts'
import { type JournalOf, openRow, readHistory, readPage } from './read-journal.ts'
import { endReceivedWaits } from './take-earlier.ts'
import { mayHaveJournal, takeOverJournal } from './take-over-journal.ts'
import { keepHistory, type WithHistory } from './unwritten-history.ts'

export type DurableDeps = Pick<Deps, 'db' | 'keyring' | 'limits' | 'newId' | 'passFault'>

export type OpenedDurable = DurableAccess &
  Readonly<{
    /** Takes the last history. @returns all that no write has recorded for certain */
    sealHistory: (entries: readonly HistoryEntry[]) => readonly HistoryRow[]
    /** The names of the steps whose failures this script was given, without those that every attempt is given [durable 2.3]. */
    failedSteps: () => readonly string[]
  }>

/** Starts the job or flow run that a step calls. @throws {AppError} the start was refused */
export type StartCalled = (
  step: Extract<StepBegin, { kind: 'job' }>,
  call: Readonly<{
    /** How often the step has begun, including this time. */
    tries: number
    alongside: (childId: string) => readonly Statement[]
  }>,
) => Promise<string>

const lostJob = (): AppError =>
  conflict('This run no longer holds its job: its step was not recorded.')

const tooManySteps = (): AppError =>
  new AppError('rate_limited', `A job has at most ${MAX_STEPS} durable steps.`, {
    code: 'too_many_steps',
  })

/** Encrypts how a step ended, or failed before its next try. */
const sealEnd = (cipher: StepCipher, name: string, end: StepEnd['end']) =>
  end.status === 'success'
    ? { result: cipher.seal(name, 'result', end.valueJson) }
    : {
        error: cipher.seal(name, 'error', JSON.stringify(end.error)),
        delayMs: end.status === 'running' ? end.delayMs : null,
      }

/** Opens the durable steps of a claimed job. Of a script that runs for the first time nothing is recorded, so nothing is read. */
export const openDurable = async (
  deps: DurableDeps,
  job: ClaimedJob,
  startCalled: StartCalled,
): Promise<OpenedDurable> => {
  const { db } = deps
  const cipher = stepCipher(deps.keyring, { ...job, jobId: job.id })
  const isFirst = !mayHaveJournal(job)
  const names = new Set<string>()
  const failed = new Set<string>()
  await takeOverJournal(deps, { job, cipher }, lostJob)
  let count = isFirst ? 0 : await countSteps(db, job.id)

  const page = async (after: StepPosition): Promise<JournalPage> => {
    const { unthrown, ...read } = await readPage(deps, { job, cipher, after })
    for (const { name } of read.steps) names.add(name)
    for (const name of unthrown) failed.add(name)
    return read
  }

  if (!isFirst) await endReceivedWaits(deps, { job, cipher })
  const journal: Journal = isFirst
    ? EMPTY_JOURNAL
    : { ...(await page(STEPS_START)), history: await readHistory(deps, { job, cipher }) }
  const history = keepHistory({ job, cipher }, journal.history.length)
  const { withHistory } = history

  /** @throws {AppError} */
  const admit = (name: string): void => {
    if (names.has(name)) return
    if (count >= MAX_STEPS) throw tooManySteps()
    names.add(name)
    count += 1
  }

  const notRecorded = async (): Promise<AppError> =>
    (await holds(db, isClaimed(job, true))) ? canceledRun() : lostJob()

  const record = async ({ end, history: added, ...step }: StepEnd): Promise<void> => {
    history.add(added)
    admit(step.name)
    if (end.status === 'failure') failed.add(step.name)
    const sealed = sealEnd(cipher, step.name, end)
    deps.passFault('step_before_commit')
    const { step: recorded } = await withHistory((before) =>
      db.write({ before, step: recordStep(job, step, sealed) }, { retry: true }),
    )
    deps.passFault('step_committed')
    if (recorded.rows.length > 0) return
    // the write may have been repeated after its answer was lost
    const row = await findStep(db, job.id, step.name)
    if (row?.status !== end.status || !(await holds(db, isRunning(job)))) throw await notRecorded()
  }

  const recordHistory = async (added: readonly HistoryEntry[]): Promise<void> => {
    history.add(added)
    if (history.rows().length === 0) return
    await withHistory((before) => db.write(before, { retry: true }))
    if (!(await holds(db, isRunning(job)))) throw lostJob()
  }

  const readBegun = async (name: string): Promise<BegunStep> => {
    const row = await findStep(db, job.id, name)
    if (row === null || !(await holds(db, isRunning(job)))) throw await notRecorded()
    return openRow(cipher, row)
  }

  const begin = async (step: StepBegin): Promise<BegunStep> => {
    history.add(step.history)
    admit(step.name)
    deps.passFault('step_before_commit')
    if (step.kind === 'job') {
      await beginCall(deps, { job, cipher, startCalled, isFirst }, { step, withHistory })
    } else {
      const ms = step.kind === 'sleep' ? step.ms : (step.timeoutMs ?? MAX_WAIT_MS)
      const begun = beginStep(job, { ...step, ms, child: null })
      const wait = step.kind === 'event' ? openWait(deps, job, step) : []
      await withHistory((before) => db.write([...before, begun, ...wait], { retry: true }))
    }
    deps.passFault('step_committed')
    if (step.kind === 'event') await endReceivedWaits(deps, { job, cipher })
    const begun = await readBegun(step.name)
    if (begun.status === 'failure') failed.add(step.name)
    return begun
  }

  return {
    journal,
    page,
    record,
    recordHistory,
    begin,
    sealHistory: (entries) => {
      history.add(entries)
      return history.rows()
    },
    failedSteps: () => [...failed],
  }
}

/** Opens the wait of a step. If an event came before it, the wait takes it in the same batch. */
const openWait = (
  { newId, limits }: DurableDeps,
  job: ClaimedJob,
  step: Extract<StepBegin, { kind: 'event' }>,
): readonly Statement[] => {
  const id = newId()
  return [
    markBegan(job),
    insertJobWait(job, { ...step, id }),
    takeEarlierEvent(id, limits.eventLookbackMs),
  ]
}

type CallContext = JournalOf & Readonly<{ startCalled: StartCalled; isFirst: boolean }>
type CallStep = Extract<StepBegin, { kind: 'job' }>

/** Starts a called job or flow run. A permanent refusal ends the step; a refusal for lack of room is thrown. */
const beginCall = async (
  { db }: DurableDeps,
  { job, cipher, startCalled, isFirst }: CallContext,
  { step, withHistory }: Readonly<{ step: CallStep; withHistory: WithHistory }>,
): Promise<void> => {
  const { name, position, calls } = step
  const tries = isFirst ? 1 : ((await findStep(db, job.id, name))?.tries ?? 0) + 1
  try {
    await withHistory((before) =>
      startCalled(step, {
        tries,
        alongside: (id) => [
          ...before,
          beginStep(job, { name, position, kind: 'job', ms: MAX_WAIT_MS, child: { calls, id } }),
        ],
      }),
    )
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    if (isTemporary(refusal)) {
      // the script may catch the refusal and go on with the values that it drew
      await withHistory(async (before) => before.length > 0 && db.write(before, { retry: true }))
      throw refusal
    }
    const { code, message, details } = refusal
    const error: StepError = { name: errorNameOf(code), message, code, details }
    const sealed = cipher.seal(name, 'error', JSON.stringify(error))
    const failed = failStep(job, step, sealed)
    await withHistory((before) => db.write([...before, failed], { retry: true }))
  }
}
