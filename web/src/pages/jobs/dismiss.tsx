/** Dismisses failed jobs, which takes them out of the view of failures, or restores them. */
import { CheckCheck, Undo2 } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { ActionButtons } from '../../kit/action.tsx'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { announce } from '../../ui/toast.tsx'

const messages = defineMessages({
  dismiss: { en: 'Dismiss', ko: '처리 완료로 표시' },
  putBack: { en: 'Put back', ko: '실패 목록으로 되돌리기' },
  dismissed: {
    en: (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'} dismissed`,
    ko: (count: number) => `작업 ${count}개를 처리 완료로 표시했습니다`,
  },
  undo: { en: 'Undo', ko: '실행 취소' },
  isPutBack: {
    en: (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'} put back`,
    ko: (count: number) => `작업 ${count}개를 실패 목록으로 되돌렸습니다`,
  },
  notChanged: { en: 'Nothing was changed', ko: '변경된 작업이 없습니다' },
})

type DismissButtonsProps = Readonly<{
  jobs: readonly Pick<Schemas['Job'], 'id' | 'status' | 'dismissed_at'>[]
  onDone?: () => void
}>

/** What fits all of the jobs; nothing where one of them has not failed. */
export const DismissButtons = ({ jobs, onDone }: DismissButtonsProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const ids = jobs.map(({ id }) => id)
  const touches = [[ws, 'jobs'], [ws, 'latest-failures'], ...ids.map((id) => [ws, 'job', id])]
  const send = (dismissed: boolean) => api.post('/jobs/dismiss', { body: { ids, dismissed } })
  const putBack = async () => {
    const { changed } = await send(false)
    announce({ title: t.isPutBack(changed) })
  }
  const undo = useChange({ change: putBack, touches, failed: t.notChanged })
  const haveFailed = jobs.length > 0 && jobs.every(({ status }) => status === 'failure')
  const isDismissed = (job: (typeof jobs)[number]) => job.dismissed_at !== undefined
  return (
    <ActionButtons
      actions={[
        {
          label: t.dismiss,
          icon: CheckCheck,
          isOffered: haveFailed && !jobs.some(isDismissed),
          run: async () => {
            const { changed } = await send(true)
            const action = { label: t.undo, run: () => undo.run(undefined) }
            announce({ title: t.dismissed(changed), action })
            onDone?.()
          },
          touches,
          failed: t.notChanged,
        },
        {
          label: t.putBack,
          icon: Undo2,
          isOffered: haveFailed && jobs.every(isDismissed),
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
