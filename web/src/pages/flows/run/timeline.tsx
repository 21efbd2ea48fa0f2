/** The steps of a run as bars on a timeline. Each row is a button, so it has the content of the graph in the form of a list. */
import { useEffect, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../../browser/server-clock.ts'
import { messages as flowMessages } from '../../../flow/messages.ts'
import { markOf, takenArm } from '../../../flow/run-marks.ts'
import { useStepName } from '../../../flow/step-kinds.ts'
import { type SegmentKind, spanOf, timelineRows } from '../../../flow/timeline.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { StatusIcon, useStatusWords } from '../../../ui/status-badge.tsx'
import { messages } from './messages.ts'
import styles from './timeline.module.css'
import type { ProgressByStep } from './use-run.ts'

const TICK_MS = 1_000

/** The current time. The timer stops when nothing changes. */
const useNow = (isMoving: boolean): number => {
  const [now, setNow] = useState(() => serverNow())
  useEffect(() => {
    if (!isMoving) return
    setNow(serverNow())
    const timer = setInterval(() => {
      if (!document.hidden) setNow(serverNow())
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [isMoving])
  return now
}

const KINDS: readonly SegmentKind[] = ['queue', 'run', 'wait', 'people']
const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

export type TimelineProps = Readonly<{
  run: Schemas['FlowRunDetail']
  progress: ProgressByStep
  selected: string | null
  onSelect: (step: string | null) => void
}>

export const Timeline = ({ run, progress, selected, onSelect }: TimelineProps) => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  const words = useStatusWords()
  const nameOf = useStepName()
  const flowWords = useMessages(flowMessages)
  const now = useNow(run.completed_at === null)
  const span = spanOf(run, run.steps, now)
  const rows = timelineRows(run.steps, span)
  const names: Readonly<Record<SegmentKind, string>> = {
    queue: t.queue,
    run: t.ran,
    wait: t.waiting,
    people: t.people,
  }
  return (
    <div className="stack-2">
      <ol className={styles.rows}>
        <li>
          <button
            type="button"
            className={styles.row}
            aria-pressed={selected === null}
            onClick={() => onSelect(null)}
          >
            <StatusIcon status={run.status} />
            <span className={styles.key}>{t.wholeRun}</span>
            <span className={styles.track} aria-hidden="true" />
            <span className={styles.time}>{duration(span.to - span.from)}</span>
          </button>
        </li>
        {run.steps.map((step, at) => {
          const { key, status } = step
          const arm = takenArm(step)
          const { aside } = markOf(step, run.completed_at !== null)
          const { ms = null, segments = [] } = rows[at] ?? {}
          const { done = 0, total = 0 } = progress.get(key) ?? {}
          return (
            <li key={key}>
              <button
                type="button"
                className={styles.row}
                aria-pressed={selected === key}
                onClick={() => onSelect(key)}
              >
                <StatusIcon status={status} />
                <span className={styles.key}>
                  {nameOf(key)}
                  <small>
                    {aside === null ? words[status] : flowWords[aside]}
                    {arm === null ? '' : ` · ${flowWords.tookArm(arm)}`}
                    {status === 'running' && total > 1 ? ` · ${t.items(done, total)}` : ''}
                  </small>
                </span>
                <span className={styles.track} aria-hidden="true">
                  {segments.map(({ kind, from, to }) => (
                    <span
                      key={kind}
                      className={styles.segment}
                      data-kind={kind}
                      data-bad={
                        ['failure', 'rejected', 'timed_out'].includes(status) ? '' : undefined
                      }
                      style={{ left: percent(from), width: percent(to - from) }}
                    />
                  ))}
                </span>
                <span className={styles.time}>
                  {ms === null || status === 'skipped' ? '–' : duration(ms)}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      <ul className={styles.legend} aria-hidden="true">
        {KINDS.map((kind) => (
          <li key={kind}>
            <span className={styles.swatch} data-kind={kind} />
            {names[kind]}
          </li>
        ))}
      </ul>
    </div>
  )
}
