/** The stages of a job, and how long each took. */
import type { ReactNode } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { RunningDuration, TimeAgo } from '../../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './timeline.module.css'
import { pauseOf } from './wait-reason.tsx'

type Event = Readonly<{ key: string; when: ReactNode; label: ReactNode; note: string | null }>

const between = (from: string, to: string): number =>
  Math.max(0, new Date(to).getTime() - new Date(from).getTime())

const useEvents = (job: Schemas['JobDetail']): readonly Event[] => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  const events: Event[] = [
    { key: 'created', when: <TimeAgo at={job.created_at} />, label: t.created, note: null },
  ]
  const { suspended } = job
  const isLater = suspended === null && job.scheduled_for > job.created_at
  const due = isLater ? job.scheduled_for : job.created_at
  if (isLater) events.push({ key: 'due', when: <TimeAgo at={due} />, label: t.due, note: null })
  if (job.status === 'queued' && job.attempt === 0 && job.start_by !== null) {
    const when = <TimeAgo at={job.start_by} />
    events.push({ key: 'start_by', when, label: t.startBy, note: null })
  }
  if (job.started_at !== null) {
    events.push({
      key: 'started',
      when: <TimeAgo at={job.started_at} />,
      label: t.started(job.attempt, job.max_attempts),
      note: t.waited(duration(between(due, job.started_at))),
    })
  }
  if (job.status === 'running' && job.started_at !== null) {
    events.push({
      key: 'running',
      when: <RunningDuration since={job.started_at} />,
      label: <StatusBadge status="running" />,
      note: null,
    })
  }
  if (job.completed_at !== null) {
    events.push({
      key: 'ended',
      when: <TimeAgo at={job.completed_at} />,
      label: <StatusBadge status={job.status} />,
      // a job that was canceled in the queue never ran
      note:
        job.duration_ms === null || job.started_at === null
          ? null
          : t.ran(duration(job.duration_ms)),
    })
  }
  const pause = pauseOf(job)
  if (pause !== null && pause.until !== null) {
    const label = pause.kind === 'sleep' ? t.wakes : t.timesOut
    events.push({ key: 'suspended', when: <TimeAgo at={pause.until} />, label, note: null })
  }
  return events
}

export const Timeline = ({ job }: Readonly<{ job: Schemas['JobDetail'] }>) => (
  <ol className={styles.line}>
    {useEvents(job).map(({ key, when, label, note }) => (
      <li key={key} className={styles.event}>
        <span>{label}</span>
        {when}
        {note === null ? null : <span className={styles.note}>{note}</span>}
      </li>
    ))}
  </ol>
)
