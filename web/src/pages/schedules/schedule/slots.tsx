/** The past fire times of a schedule: an overview of four weeks, and each fire time with what it started or why it was skipped. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CircleSlash } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../../language/format.ts'
import { useLanguage } from '../../../language/language.ts'
import { useMessages } from '../../../language/messages.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { LastResult } from '../../../schedule/last-result.tsx'
import { daysOfSlot } from '../../../schedule/slot-days.ts'
import { needsSeconds, timeInZone } from '../../../schedule/zone-time.ts'
import { useApi } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/facts.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { DayStrip } from './day-strip.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/schedules/$id')

const PAGE_ROWS = 500
const SHOWN_AT_ONCE = 20

const first = (): string | undefined => undefined

export const Slots = ({ schedule }: Readonly<{ schedule: Schemas['Schedule'] }>) => {
  const t = useMessages(messages)
  const { ws, id } = route.useParams()
  const { day } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const { number } = useFormat()
  const [most, setMost] = useState(SHOWN_AT_ONCE)
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [ws, 'schedule-slots', id],
    queryFn: ({ pageParam, signal }) =>
      api.get('/schedules/{id}/slots', {
        params: { id },
        query: { cursor: pageParam, limit: PAGE_ROWS },
        signal,
      }),
    initialPageParam: first(),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  })
  const { timezone, next_fire_at } = schedule
  // each fire time that passes changes next_fire_at
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value loads the fire times again
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: [ws, 'schedule-slots', id] })
  }, [ws, id, next_fire_at])
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} />
  const slots = data.pages.flatMap(({ items }) => items)
  const chosen =
    day === undefined ? slots : slots.filter((slot) => daysOfSlot(slot, timezone).includes(day))
  const choose = (next: string | null): void => {
    setMost(SHOWN_AT_ONCE)
    void navigate({
      search: next === null ? {} : { day: next },
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <>
      <Card title={t.days}>
        <DayStrip slots={slots} zone={timezone} chosen={day ?? null} onChoose={choose} />
        {hasNextPage ? <p className="quiet">{t.partial(slots.length)}</p> : null}
      </Card>
      <Card
        title={t.slots}
        actions={
          day === undefined ? null : (
            <Button look="quiet" onClick={() => choose(null)}>
              {t.allDays}
            </Button>
          )
        }
      >
        {chosen.length === 0 ? (
          <p className="quiet">{slots.length === 0 ? t.noSlots : t.noneOnDay}</p>
        ) : (
          <ol className={styles.slots}>
            {chosen.slice(0, most).map((slot) => (
              <SlotRow key={slot.slot} slot={slot} zone={timezone} />
            ))}
          </ol>
        )}
        {chosen.length > most || hasNextPage ? (
          <Button
            onClick={() => {
              setMost(most + SHOWN_AT_ONCE)
              if (chosen.length <= most) void fetchNextPage()
            }}
          >
            {t.more}
            {chosen.length > most ? ` (${number(chosen.length - most)})` : null}
          </Button>
        ) : null}
      </Card>
    </>
  )
}

type Texts = Readonly<{ waiting: string; skipped: string; skippedRun: (count: number) => string }>

const describeCount = (t: Texts, { outcome, count }: Schemas['ScheduleSlot']): string => {
  if (outcome === 'queued') return t.waiting
  return count === 1 ? t.skipped : t.skippedRun(count)
}

const SlotRow = ({ slot, zone }: Readonly<{ slot: Schemas['ScheduleSlot']; zone: string }>) => {
  const t = useMessages(messages)
  const { exact } = useFormat()
  const language = useLanguage()
  const inOwnWords = useServerSentence()
  const shown = { zone, language, withSeconds: needsSeconds([slot.slot]) }
  return (
    <li data-outcome={slot.outcome}>
      <time dateTime={slot.slot} title={exact(slot.slot)}>
        {timeInZone(slot.slot, shown)}
      </time>
      {slot.outcome === 'fired' ? (
        <LastResult jobId={slot.job_id} runId={slot.flow_run_id} />
      ) : (
        <span className={styles.reason}>
          <strong>
            <CircleSlash size={15} aria-hidden="true" />
            {describeCount(t, slot)}
            {slot.count === 1 || slot.last_slot === null
              ? ''
              : `, ${t.until(timeInZone(slot.last_slot, shown))}`}
          </strong>
          {slot.reason === null ? null : inOwnWords(slot.reason)}
        </span>
      )}
    </li>
  )
}
