/** When a schedule runs, in words if possible, otherwise as the cron expression. */
import { useLanguage } from '../language/language.ts'
import { cronInWords } from './cron-words.ts'

export type WhenProps = Readonly<{ cron: string; timezone: string }>

export const When = ({ cron, timezone }: WhenProps) => {
  const words = cronInWords(cron, useLanguage())
  // an interval does not depend on the time zone
  const hasZone = !cron.startsWith('@every')
  return (
    <span title={`${cron} ${timezone}`}>
      {words === null ? <code>{cron}</code> : words}
      {hasZone ? <span className="hint"> {timezone}</span> : null}
    </span>
  )
}
