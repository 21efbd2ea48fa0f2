/** The fields of a schedule's form that another tab or person has changed since they were typed here. */
import { ChangedNotice } from '../../../kit/changed-notice.tsx'
import { useMessages } from '../../../language/messages.ts'
import type { Fact } from '../../../ui/facts.tsx'
import type { Draft } from './draft.ts'
import { messages } from './messages.ts'

export type ConflictsProps = Readonly<{
  fields: readonly (keyof Draft)[]
  /** The schedule as it is now. */
  now: Draft
}>

export const Conflicts = ({ fields, now }: ConflictsProps) => {
  const t = useMessages(messages)
  if (fields.length === 0) return null
  const when = (names: readonly (keyof Draft)[], fact: Fact): readonly Fact[] =>
    names.some((name) => fields.includes(name)) ? [fact] : []
  return (
    <ChangedNotice
      now={[
        ...when(['app', 'kind', 'target'], [t.what, `${now.app}/${now.target}`]),
        ...when(['cron'], [t.cron, <code key="cron">{now.cron}</code>]),
        ...when(['timezone'], [t.zone, now.timezone]),
        ...when(['overlap'], [t.overlap, t[now.overlap]]),
        ...when(['input'], [t.input, <code key="input">{now.input}</code>]),
        ...when(['enabled'], [t.enabled, now.enabled ? t.on : t.off]),
      ]}
    />
  )
}
