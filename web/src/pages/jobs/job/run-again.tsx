/** Runs the same action again. The initial input is that of this job. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { InputDialog } from '../../../kit/input-dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { actionsQuery } from '../../../live/queries.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loading } from '../../../ui/notice.tsx'
import { messages } from './messages.ts'

type RunAgainProps = Readonly<{ job: Schemas['JobDetail']; onClose: () => void }>

export const RunAgain = ({ job, onClose }: RunAgainProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const { app, action } = job
  const { data: actions, isPending } = useQuery(actionsQuery(api, ws, app))
  const title = t.runTitle(`${app}/${action}`)
  // the form of the schema would replace the editor in which a person already types
  if (isPending) {
    return (
      <Dialog isOpen isWide onClose={onClose} title={title}>
        <Loading />
      </Dialog>
    )
  }
  const schema = actions?.items.find(({ key }) => key === action)?.input_schema
  return (
    <InputDialog
      title={title}
      send={t.run}
      failed={t.notRun}
      note={t.runNote}
      schema={schema}
      initial={JSON.stringify(job.input ?? {}, null, 2)}
      draft={`run ${ws} ${job.id}`}
      start={(body, idempotencyKey) =>
        api.post('/jobs/run/{app}/{action}', { params: { app, action }, body, idempotencyKey })
      }
      onStarted={({ job_id: id }) => void navigate({ to: '/w/$ws/jobs/$id', params: { ws, id } })}
      onClose={onClose}
    />
  )
}
