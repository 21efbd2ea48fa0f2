/** When a schedule runs, in words where there are any, and as it was written. */
import { useLanguage } from '../language/language.ts'
import { cronInWords } from './cron-words.ts'

export type WhenProps = Readonly<{ cron: string; timezone: string }>

export const When = ({ cron, timezone }: WhenProps) => {
  const words = cronInWords(cron, useLanguage())
  // an interval is the same in every zone
  const hasZone = !cron.startsWith('@every')
  return (
    <span title={`${cron} ${timezone}`}>
      {words === null ? <code>{cron}</code> : words}
      {hasZone ? <span className="hint"> {timezone}</span> : null}
    </span>
  )
}
