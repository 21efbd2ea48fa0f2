import type { Schemas } from '#sdk/client.ts'
import { Dismiss } from '../../kit/dismiss.tsx'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'

const messages = defineMessages({
  dismissed: {
    en: (count: number) => `${count} flow ${count === 1 ? 'run' : 'runs'} dismissed`,
    ko: (count: number) => `플로우 실행 ${count}개를 처리 완료로 표시했습니다`,
  },
  isPutBack: {
    en: (count: number) => `${count} flow ${count === 1 ? 'run' : 'runs'} put back`,
    ko: (count: number) => `플로우 실행 ${count}개를 실패 목록으로 되돌렸습니다`,
  },
})

type DismissRunButtonsProps = Readonly<{
  runs: readonly Pick<Schemas['FlowRun'], 'id' | 'status' | 'dismissed_at'>[]
  onDone?: () => void
}>

/** Dismisses failed flow runs, or restores them. */
export const DismissRunButtons = ({ runs, onDone }: DismissRunButtonsProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const ids = runs.map(({ id }) => id)
  return (
    <Dismiss
      rows={runs.map(({ status, dismissed_at }) => ({
        hasFailed: status === 'failed',
        isDismissed: dismissed_at !== undefined,
      }))}
      send={(dismissed) => api.post('/flow-runs/dismiss', { body: { ids, dismissed } })}
      touches={[[ws, 'flow-runs'], ...ids.map((id) => [ws, 'flow-run', id])]}
      words={{ dismissed: t.dismissed, putBack: t.isPutBack }}
      onDone={onDone}
    />
  )
}
