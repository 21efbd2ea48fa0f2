/**
 * The last four weeks, with a box for each day that shows how often the
 * schedule fired and was skipped. A box opens the list of its day.
 */
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../../browser/server-clock.ts'
import { useFormat } from '../../../language/format.ts'
import { useLanguage } from '../../../language/language.ts'
import { useMessages } from '../../../language/messages.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { lastDays, slotDays } from '../../../schedule/slot-days.ts'
import { dayInZone } from '../../../schedule/zone-time.ts'
import styles from './day-strip.module.css'
import { messages } from './messages.ts'

const DAYS = 28

export type DayStripProps = Readonly<{
  slots: readonly Schemas['ScheduleSlot'][]
  zone: string
  chosen: string | null
  onChoose: (day: string | null) => void
}>

const weekdayOf = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'narrow', timeZone: 'UTC' }).format(
    Date.parse(`${day}T12:00:00Z`),
  )

export const DayStrip = ({ slots, zone, chosen, onChoose }: DayStripProps) => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  const language = useLanguage()
  const { compact } = useFormat()
  const days = slotDays(slots, lastDays(dayInZone(serverNow(), zone), DAYS), zone)
  return (
    <>
      <ol className={styles.days}>
        {days.map(({ day, fired, skipped, reasons }) => {
          const summary = t.dayCounts(day, fired, skipped)
          const isEmpty = fired + skipped === 0
          return (
            <li key={day}>
              <button
                type="button"
                className={styles.day}
                aria-pressed={chosen === day}
                title={[summary, ...reasons.map(inOwnWords)].join('\n')}
                disabled={isEmpty}
                onClick={() => onChoose(chosen === day ? null : day)}
              >
                <span className="visually-hidden">
                  {[summary, ...reasons.map(inOwnWords)].join('. ')}
                </span>
                <small aria-hidden="true">{weekdayOf(day, language)}</small>
                <span aria-hidden="true">{Number(day.slice(-2))}</span>
                <span className={styles.marks} aria-hidden="true">
                  {fired === 0 ? null : <span data-kind="fired">{compact(fired)}</span>}
                  {skipped === 0 ? null : <span data-kind="skipped">{compact(skipped)}</span>}
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      <ul className={styles.legend}>
        <li>
          <span className={styles.swatch} data-kind="fired" /> {t.fired}
        </li>
        <li>
          <span className={styles.swatch} data-kind="skipped" /> {t.skipped}
        </li>
      </ul>
    </>
  )
}
