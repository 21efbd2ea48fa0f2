/** Dismisses failures, which removes them from the view of failures, or restores them. */
import { CheckCheck, Undo2 } from 'lucide-react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useChange } from '../session/use-change.ts'
import type { Fact } from '../ui/facts.tsx'
import { TimeAgo } from '../ui/time.tsx'
import { announce } from '../ui/toast.tsx'
import { ActionButtons } from './action.tsx'

const messages = defineMessages({
  dismiss: { en: 'Dismiss', ko: '처리 완료로 표시' },
  putBack: { en: 'Put back', ko: '실패 목록으로 되돌리기' },
  undo: { en: 'Undo', ko: '되돌리기' },
  notChanged: { en: 'Nothing was changed', ko: '변경하지 못했습니다' },
})

type DismissProps = Readonly<{
  rows: readonly Readonly<{ hasFailed: boolean; isDismissed: boolean }>[]
  send: (dismissed: boolean) => Promise<Readonly<{ changed: number }>>
  /** Queries that are read again. */
  touches: readonly (readonly string[])[]
  /** The part of a message that contains the number of changed rows. */
  words: Readonly<{ dismissed: (count: number) => string; putBack: (count: number) => string }>
  onDone?: (() => void) | undefined
}>

/** The button that fits all of the rows; none if one of them has not failed. */
export const Dismiss = ({ rows, send, touches, words, onDone }: DismissProps) => {
  const t = useMessages(messages)
  const putBack = async () => {
    const { changed } = await send(false)
    announce({ title: words.putBack(changed) })
  }
  const undo = useChange({ change: putBack, touches, failed: t.notChanged })
  const haveFailed = rows.length > 0 && rows.every(({ hasFailed }) => hasFailed)
  return (
    <ActionButtons
      actions={[
        {
          label: t.dismiss,
          icon: CheckCheck,
          isOffered: haveFailed && !rows.some(({ isDismissed }) => isDismissed),
          run: async () => {
            const { changed } = await send(true)
            const action = { label: t.undo, run: () => undo.run(undefined) }
            announce({ title: words.dismissed(changed), action })
            onDone?.()
          },
          touches,
          failed: t.notChanged,
        },
        {
          label: t.putBack,
          icon: Undo2,
          isOffered: haveFailed && rows.every(({ isDismissed }) => isDismissed),
          run: async () => {
            await putBack()
            onDone?.()
          },
          touches,
          failed: t.notChanged,
        },
      ]}
    />
  )
}

type Dismissal = Readonly<{ dismissed_at?: string | undefined; dismissed_by?: string | undefined }>

/** When and by whom a failure was dismissed. Empty for one that was not. */
export const dismissalFact = (
  name: string,
  { dismissed_at: at, dismissed_by: by }: Dismissal,
): Fact => [
  name,
  at === undefined ? null : (
    <>
      <TimeAgo at={at} /> {by}
    </>
  ),
]
