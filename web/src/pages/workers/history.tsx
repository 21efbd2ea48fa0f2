/** Which workers ran the jobs of the workspace, and when, including workers that have stopped since. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { WindowFilter } from '../../figures/window-filter.tsx'
import { WINDOWS, type WindowName } from '../../figures/windows.ts'
import { Loaded } from '../../kit/detail-page.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { Card } from '../../ui/facts.tsx'
import { type PlainColumn, PlainTable } from '../../ui/table/plain-table.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'

const EVERY_MS = 15_000

type Found = Schemas['WorkerHistory']

export type WorkerHistoryProps = Readonly<{
  span: WindowName
  onSpan: (span: WindowName) => void
}>

export const WorkerHistory = ({ span, onSpan }: WorkerHistoryProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'workers', 'history', span],
    queryFn: ({ signal }) =>
      api.get('/workers/history', { query: { recent_seconds: WINDOWS[span] }, signal }),
    refetchInterval: EVERY_MS,
    placeholderData: (before) => before,
  })
  return (
    <Card title={t.history} actions={<WindowFilter span={span} onSpan={onSpan} />}>
      <Loaded query={query}>{(found) => <History found={found} />}</Loaded>
    </Card>
  )
}

const History = ({ found }: Readonly<{ found: Found }>) => {
  const t = useMessages(messages)
  const columns = useColumns()
  const isEstimated = found.buckets.some(({ estimated }) => estimated)
  if (found.workers.length === 0) {
    return <p className="quiet">{isEstimated ? t.noneOfNewest : t.noHistory}</p>
  }
  return (
    <>
      <PlainTable columns={columns} rows={found.workers} keyOf={({ name }) => name} />
      {isEstimated ? <p className="hint">{t.estimated}</p> : null}
    </>
  )
}

const useColumns = (): readonly PlainColumn<Found['workers'][number]>[] => {
  const t = useMessages(messages)
  const { number } = useFormat()
  return [
    { header: t.name, cell: ({ name }) => name },
    {
      header: t.overTime,
      cell: ({ jobs, per_bucket }) => (
        <Sparkline label={t.jobsOverTime(jobs)} values={per_bucket} />
      ),
    },
    { header: t.jobs, isEnd: true, cell: ({ jobs }) => number(jobs) },
    { header: t.failed, isEnd: true, cell: ({ failures }) => number(failures) },
    {
      header: t.firstJob,
      isEnd: true,
      isWideOnly: true,
      cell: ({ first_at }) => <TimeAgo at={first_at} />,
    },
    {
      header: t.lastJob,
      isEnd: true,
      isWideOnly: true,
      cell: ({ last_at }) => <TimeAgo at={last_at} />,
    },
  ]
}
