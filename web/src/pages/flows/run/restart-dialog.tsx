/** Restarts a run from one of its steps, as a new run. */

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRequestKey } from '../../../form/use-request-key.ts'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { CheckField, SelectField } from '../../../ui/form/field.tsx'
import { messages } from './messages.ts'

export type RestartDialogProps = Readonly<{
  runId: string
  steps: readonly string[]
  initial: string
  onClose: () => void
}>

export const RestartDialog = ({ runId, steps, initial, onClose }: RestartDialogProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [step, setStep] = useState(initial)
  const [isLatest, setLatest] = useState(false)
  const idempotencyKey = useRequestKey(JSON.stringify([runId, step, isLatest]))
  return (
    <ActionDialog
      onClose={onClose}
      title={t.restart}
      send={t.start}
      run={() =>
        api.post('/flow-runs/{id}/restart', {
          params: { id: runId },
          body: { from_step: step, ...(isLatest ? { commit: 'latest' } : {}) },
          idempotencyKey,
        })
      }
      touches={[]}
      leadOn={({ flow_run_id: id }) => {
        onClose()
        void navigate({ to: '/w/$ws/flow-runs/$id', params: { ws, id } })
      }}
      failed={t.notStarted}
    >
      <p>{t.restartNote}</p>
      <SelectField
        label={t.fromStep}
        value={step}
        onChange={setStep}
        options={steps.map((key) => ({ value: key, label: key }))}
      />
      <CheckField
        label={t.latest}
        checked={isLatest}
        onChange={(event) => setLatest(event.target.checked)}
      />
    </ActionDialog>
  )
}
