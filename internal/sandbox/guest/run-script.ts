/** Runs the code of a job, and sends its result. */
import type { RunMessage } from '../protocol/messages.ts'
import type { Main } from './bundles.ts'
import { createCancelSignal } from './cancel-signal.ts'
import { createContext } from './context.ts'
import { createDurable, type DurableOptions, type DurableRun } from './durable.ts'
import { describeThrown } from './failure.ts'
import type { HostCalls } from './host-calls.ts'
import type { GuestIo } from './io/guest-io.ts'
import type { GuestJob } from './job.ts'
import { NO_DURABLE } from './no-durable.ts'
import type { GuestOutput } from './output.ts'
import { toResult } from './result.ts'
import type { Journal, StepScope } from './step-records.ts'

// saved before user code can replace them
const { stringify } = JSON
const { setImmediate } = globalThis

/** Waits for one turn of the event loop, within which unhandled rejections are reported. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Parts = Readonly<{
  io: GuestIo
  output: GuestOutput
  hostCalls: HostCalls
  log: (job: GuestJob, stream: 'log', text: string) => void
}>

export type ScriptRunner = Readonly<{
  /** Runs `main` until its result is sent. Rejects with what it throws. */
  run: (main: Main, message: RunMessage, job: GuestJob) => Promise<void>
  /** Sends the end of a job. */
  end: (job: GuestJob, kind: 'result' | 'error', payload: string) => Promise<void>
}>

export const createScriptRunner = ({ io, output, hostCalls, log }: Parts): ScriptRunner => {
  const steps = io.createScope<StepScope>()

  /** Creates the durable steps of a job. A suspension is the result of the job, after which nothing of it runs. */
  const openDurable = (
    journal: Journal,
    job: GuestJob,
    parts: Pick<DurableOptions, 'host' | 'cancelSignal'>,
  ): DurableRun =>
    createDurable({
      journal,
      ...parts,
      activity: job.activity,
      scope: steps,
      describe: (thrown) => describeThrown(thrown, io.format),
      warn: (text) => log(job, 'log', text),
      isOver: () => job.ended,
      onSuspend: (suspension) => {
        if (job.ended) return
        job.ended = true
        output.send(job.run, 'suspend', stringify(suspension))
        job.suspend()
      },
    })

  /**
   * Sends the result when no call of the job is open. Else the response to a call would come when the
   * guest waits for its next job, and that job would wait for its own responses for ever.
   */
  const end = async (job: GuestJob, kind: 'result' | 'error', payload: string): Promise<void> => {
    job.ended = true
    await hostCalls.answered()
    output.send(job.run, kind, payload)
  }

  const run = async (main: Main, message: RunMessage, job: GuestJob): Promise<void> => {
    const { durable: host, ...access } = hostCalls.accessFor(job, {
      maxInputBytes: message.resultBytes,
      stepOf: () => steps.get(),
      saveDraws: () => durable.saveDraws(),
    })
    // the host is trusted: the journal has the shape of durable-access.ts
    const journal = message.durable as Journal | null
    const cancelSignal = createCancelSignal((onCancel) => hostCalls.watchCancel(job, onCancel))
    const durable: DurableRun =
      journal === null ? NO_DURABLE : openDurable(journal, job, { host, cancelSignal })
    const context = createContext(message, {
      host: access,
      log: (...values) => log(job, 'log', io.format(values)),
      part: (text) => {
        if (!job.ended) output.send(job.run, 'part', stringify(text))
      },
      durable: durable.calls,
      cancelSignal,
    })
    const returned = await main(context)
    durable.close()
    const result = toResult(returned, message.resultBytes)
    await hostCalls.answered()
    await turn()
    // a rejection in this turn has already ended the job
    if (job.ended) return
    if ('json' in result) await end(job, 'result', result.json)
    else await end(job, 'error', stringify(result.failure))
  }

  return { run, end }
}
