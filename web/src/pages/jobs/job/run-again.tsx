/** The same action once more, with the input of this job to begin with. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { inputFaults } from '../../../form/input-faults.ts'
import { parseJson, SchemaForm } from '../../../form/schema-form.tsx'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { messages } from './messages.ts'

type RunAgainProps = Readonly<{ job: Schemas['JobDetail']; onClose: () => void }>

export const RunAgain = ({ job, onClose }: RunAgainProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const { app, action } = job
  const initial = JSON.stringify(job.input ?? {}, null, 2)
  const [text, setText, forget] = useKeptState(`run ${ws} ${job.id}`, initial)
  const { data: actions } = useQuery({
    queryKey: [ws, 'actions', app],
    queryFn: ({ signal }) => api.get('/apps/{app}/actions', { params: { app }, signal }),
  })
  const schema = actions?.items.find(({ key }) => key === action)?.input_schema
  const value = parseJson(text)
  return (
    <ActionDialog
      isWide
      noValidate
      onClose={onClose}
      title={t.runTitle(`${app}/${action}`)}
      send={t.run}
      run={() =>
        api.post('/jobs/run/{app}/{action}', { params: { app, action }, body: value ?? null })
      }
      isComplete={value !== undefined}
      touches={[]}
      onDone={({ job_id: id }) => {
        forget()
        onClose()
        void navigate({ to: '/w/$ws/jobs/$id', params: { ws, id } })
      }}
      failed={t.notRun}
    >
      {(error) => (
        <>
          <p>{t.runNote}</p>
          <SchemaForm schema={schema} text={text} onChange={setText} faults={inputFaults(error)} />
        </>
      )}
    </ActionDialog>
  )
}
