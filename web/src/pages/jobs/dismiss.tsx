import type { Schemas } from '#sdk/client.ts'
import { Dismiss } from '../../kit/dismiss.tsx'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'

const messages = defineMessages({
  dismissed: {
    en: (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'} dismissed`,
    ko: (count: number) => `작업 ${count}개를 처리 완료로 표시했습니다`,
  },
  isPutBack: {
    en: (count: number) => `${count} ${count === 1 ? 'job' : 'jobs'} put back`,
    ko: (count: number) => `작업 ${count}개를 실패 목록으로 되돌렸습니다`,
  },
})

type DismissButtonsProps = Readonly<{
  jobs: readonly Pick<Schemas['Job'], 'id' | 'status' | 'dismissed_at'>[]
  onDone?: () => void
}>

/** Dismisses failed jobs, or restores them. */
export const DismissButtons = ({ jobs, onDone }: DismissButtonsProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const ids = jobs.map(({ id }) => id)
  return (
    <Dismiss
      rows={jobs.map(({ status, dismissed_at }) => ({
        hasFailed: status === 'failure',
        isDismissed: dismissed_at !== undefined,
      }))}
      send={(dismissed) => api.post('/jobs/dismiss', { body: { ids, dismissed } })}
      touches={[[ws, 'jobs'], [ws, 'latest-failures'], ...ids.map((id) => [ws, 'job', id])]}
      words={{ dismissed: t.dismissed, putBack: t.isPutBack }}
      onDone={onDone}
    />
  )
}
