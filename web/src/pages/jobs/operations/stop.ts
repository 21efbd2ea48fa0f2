/** The action that stops an operation, in the list and in the dialog that follows one. */
import { CircleStop } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import type { Action } from '../../../kit/action.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { messages } from './messages.ts'

export const useStop = ({ id, status }: Pick<Schemas['Operation'], 'id' | 'status'>): Action => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  return {
    label: t.stop,
    icon: CircleStop,
    isOffered: status === 'running' && may('jobs:run'),
    confirm: { title: t.stopTitle, text: t.stopText },
    run: () => api.post('/operations/{id}/stop', { params: { id } }),
    touches: [
      [ws, 'operations'],
      [ws, 'operation', id],
      [ws, 'jobs'],
    ],
    done: t.stopped,
    failed: t.notStopped,
  }
}

/** The status that people see. */
export const shownStatus = ({
  status,
  stopped,
}: Pick<Schemas['Operation'], 'status' | 'stopped'>) => (stopped ? 'stopped' : status)
