/** Enables or disables a schedule in place. */
import { useMutation } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../language/messages.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { queryClient } from '../session/query-client.ts'
import { useMay } from '../session/session.ts'
import { Switch } from '../ui/form/switch.tsx'
import { useErrorSentence } from '../ui/notice.tsx'
import { announce } from '../ui/toast.tsx'
import { messages } from './messages.ts'
import { targetName } from './target.ts'

export const EnabledSwitch = ({ schedule }: Readonly<{ schedule: Schemas['Schedule'] }>) => {
  const t = useMessages(messages)
  const may = useMay()
  const ws = useWorkspace()
  const api = useApi()
  const sentence = useErrorSentence()
  const { id } = schedule
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      api.patch('/schedules/{id}', { params: { id }, body: { enabled } }),
    onError: (error) => announce({ tone: 'bad', title: t.notChanged, text: sentence(error) }),
    // keep the new state until the lists have loaded it too
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [ws, 'schedules'] }),
        queryClient.invalidateQueries({ queryKey: [ws, 'schedule', id] }),
      ]),
  })
  const isOn = change.isPending ? change.variables : schedule.enabled
  return (
    <Switch
      label={t.enable(targetName(schedule))}
      isOn={isOn}
      isDisabled={!may('schedules:write')}
      onChange={(next) => change.mutate(next)}
    />
  )
}
