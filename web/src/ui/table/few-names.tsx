/** The first two of many names. The tooltip shows all of them. */
import { defineMessages, useMessages } from '../../language/messages.ts'

const messages = defineMessages({
  more: { en: (n: number) => `+${n}`, ko: (n: number) => `외 ${n}개` },
})

const SHOWN = 2

export const FewNames = ({ names }: Readonly<{ names: readonly string[] }>) => {
  const t = useMessages(messages)
  const rest = names.length - SHOWN
  return (
    <span title={names.join(', ')}>
      {names.slice(0, SHOWN).join(', ')}
      {rest > 0 ? ` ${t.more(rest)}` : ''}
    </span>
  )
}
