/** The usage of a customer in the last 30 days, by day. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { DAY_MS } from '../../../language/units.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { LineChart } from '../../../ui/chart/line-chart.tsx'
import { messages } from './messages.ts'

const EVERY_MS = 30_000

type Found = Readonly<{ since: string; until: string; usage: Schemas['CustomerUsage'] | undefined }>

export const CustomerUsage = ({ id }: Readonly<{ id: string }>) => {
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'usage', 'of', id],
    queryFn: async ({ signal }): Promise<Found> => {
      const { items, since, until } = await api.get('/usage', {
        query: { customer_id: id },
        signal,
      })
      return { since, until, usage: items[0] }
    },
    refetchInterval: EVERY_MS,
  })
  return <Loaded query={query}>{(found) => <Charts {...found} />}</Loaded>
}

const Charts = ({ since, until, usage }: Found) => {
  const t = useMessages(messages)
  const { number, compact, duration } = useFormat()
  if (usage === undefined || usage.runs === 0) return <p className="quiet">{t.noUsage}</p>
  const from = Date.parse(since)
  const count = Math.round((Date.parse(until) - from) / DAY_MS)
  const times = Array.from({ length: count }, (_, day) => from + day * DAY_MS)
  const byDate = new Map(usage.days.map((day) => [Date.parse(day.date), day]))
  const valuesOf = (name: 'runs' | 'failures' | 'duration_ms') =>
    times.map((at) => byDate.get(at)?.[name] ?? 0)
  return (
    <div className="stack">
      <LineChart
        title={t.runs}
        summary={t.runsCounted(number(usage.runs), number(usage.failures))}
        times={times}
        lines={[
          { name: t.runs, tone: 'accent', values: valuesOf('runs') },
          { name: t.failures, tone: 'bad', values: valuesOf('failures') },
        ]}
        isBars
        format={compact}
      />
      <LineChart
        title={t.runTime}
        summary={t.ranFor(duration(usage.duration_ms))}
        times={times}
        lines={[{ name: t.runTime, tone: 'accent', values: valuesOf('duration_ms') }]}
        isBars
        format={duration}
      />
    </div>
  )
}
