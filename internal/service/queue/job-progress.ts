/** Writes the progress of a running job at most twice a second, and always the last one [jobs 4.7]. */
import { isSameProgress, type Progress } from '#core/job/progress-note.ts'
import { type Claim, setProgress } from '#store/jobs/lease.ts'
import type { Deps } from '../deps.ts'

const EVERY_MS = 500

type JobProgress = Readonly<{
  set: (progress: Progress) => void
  /** Writes the last progress, unless it is written already or there is none. */
  flush: () => Promise<void>
}>

export const openProgress = (
  { db, hints }: Pick<Deps, 'db' | 'hints'>,
  claim: Claim,
): JobProgress => {
  let wanted: Progress | null = null
  let written: Progress | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAt = Number.NEGATIVE_INFINITY

  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (wanted === null || isSameProgress(wanted, written)) return
    lastAt = performance.now()
    written = wanted
    // a failed write only loses progress, and the job continues
    const result = await db.write([setProgress(claim, wanted)], { retry: true }).catch(() => null)
    if (result?.[0]?.changes === 1) hints.jobChanged.emit(claim.id)
  }
  return {
    set: (progress) => {
      wanted = progress
      timer ??= setTimeout(() => void write(), Math.max(0, lastAt + EVERY_MS - performance.now()))
    },
    flush: write,
  }
}
