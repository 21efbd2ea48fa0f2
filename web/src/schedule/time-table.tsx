/** Times in two time zones: that of the schedule and, if it differs, that of the viewer. */
import { useLanguage } from '../language/language.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { TimeAgo } from '../ui/time.tsx'
import styles from './time-table.module.css'
import { needsSeconds, timeInZone, viewerZone } from './zone-time.ts'

const messages = defineMessages({
  yours: {
    en: (zone: string) => `Your time (${zone})`,
    ko: (zone: string) => `내 시간대 (${zone})`,
  },
  due: { en: 'Due', ko: '남은 시간' },
})

export type TimeTableProps = Readonly<{
  times: readonly string[]
  zone: string
  /** Hides the remaining time if there are two time zones. @default false */
  isNarrow?: boolean
}>

export const TimeTable = ({ times, zone, isNarrow = false }: TimeTableProps) => {
  const t = useMessages(messages)
  const language = useLanguage()
  const own = viewerZone()
  const isOther = own !== zone
  const hasDue = !(isOther && isNarrow)
  const shown = { language, withSeconds: needsSeconds(times) }
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{zone}</th>
          {isOther ? <th scope="col">{t.yours(own)}</th> : null}
          {hasDue ? <th scope="col">{t.due}</th> : null}
        </tr>
      </thead>
      <tbody>
        {times.map((at) => (
          <tr key={at}>
            <td>{timeInZone(at, { ...shown, zone })}</td>
            {isOther ? <td>{timeInZone(at, { ...shown, zone: own })}</td> : null}
            {hasDue ? (
              <td>
                <TimeAgo at={at} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
