/** How many jobs ended when. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { BarChart, type Series } from '../../ui/bar-chart.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { messages } from './messages.ts'
import { WINDOWS, type WindowName } from './search.ts'

const route = getRouteApi('/w/$ws/')

/** Counting a long history takes the server a while: less often than the numbers above. */
const EVERY_MS = 15_000

export const Throughput = ({ span }: Readonly<{ span: WindowName }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { number, short, exact } = useFormat()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'timeline', span],
    queryFn: ({ signal }) =>
      api.get('/jobs/timeline', { query: { recent_seconds: WINDOWS[span] }, signal }),
    refetchInterval: EVERY_MS,
    placeholderData: (before) => before,
  })
  if (data === undefined) {
    return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const series: readonly Series[] = [
    { name: t.completed, tone: 'good' },
    { name: t.failed, tone: 'bad' },
    { name: t.canceled, tone: 'quiet' },
  ]
  const bars = data.buckets.map(({ at, completed, failed, canceled }) => {
    const values = [completed, failed, canceled]
    const counts = values.map((value, index) => `${series[index]?.name} ${number(value)}`)
    return { key: at, label: [exact(at), ...counts].join('\n'), values }
  })
  const totals = bars.map(({ values }) => values.reduce((total, value) => total + value, 0))
  const first = data.buckets[0]?.at
  const most = Math.max(0, ...totals)
  return (
    <BarChart
      label={t.throughput}
      series={series}
      bars={bars}
      most={most === 0 ? t.noneEnded : number(most)}
      ends={[first === undefined ? '' : short(first), t.now]}
    />
  )
}
