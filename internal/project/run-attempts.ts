/** The attempts of a job that code of the folder starts or calls, by the `retry` of its action, as on a server [jobs 8.4]. */
import { setTimeout } from 'node:timers/promises'
import { v7 } from 'uuid'
import { retryDelayMs } from '#core/action/retry.ts'
import type { LocalActions, LocalEnd, LocalJob } from './local-actions.ts'
import { newLocalJournal } from './local-durable.ts'
import type { LocalWaits } from './local-waits.ts'

type Parts = Readonly<{ runner: LocalActions; waits: Pick<LocalWaits, 'begin' | 'skipsTime'> }>

/** Runs the job until an attempt succeeds or none is left. The delays between them are skipped like sleeps. */
export const runAttempts = async (
  { runner, waits }: Parts,
  { id = v7(), ...job }: LocalJob,
): Promise<LocalEnd> => {
  const { signal, canceled = signal } = job
  const stop = AbortSignal.any([signal, canceled])
  const journal = newLocalJournal(id)
  for (let attempt = 1, log = '', ms = 0; ; attempt += 1) {
    const ended = await runner.run({ ...job, id, journal, attempt })
    log += ended.log
    ms += ended.ms
    const { outcome } = ended
    if (outcome.kind === 'success' || stop.aborted) return { outcome, log, ms }
    const failed = { ...outcome, failures: attempt, random: Math.random() }
    const delayMs = retryDelayMs(job.action.definition.retry, failed)
    if (delayMs === null) return { outcome, log, ms }
    // its next attempt may send an event that another job waits for
    const end = waits.begin()
    const restMs = waits.skipsTime ? 0 : delayMs
    await setTimeout(restMs, undefined, { signal: stop }).catch(() => undefined)
    end()
  }
}
