/** Takes a run up again from one of its steps, as a new run. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField, SelectField } from '../../ui/field.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import styles from './detail.module.css'
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
  const restart = useMutation({
    mutationFn: () =>
      api.post('/flow-runs/{id}/restart', {
        params: { id: runId },
        body: { from_step: step, ...(isLatest ? { commit: 'latest' } : {}) },
      }),
    onSuccess: ({ flow_run_id: id }) => {
      onClose()
      void navigate({ to: '/w/$ws/flow-runs/$id', params: { ws, id } })
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t.restart}
      foot={
        <Button look="primary" disabled={restart.isPending} onClick={() => restart.mutate()}>
          {t.start}
        </Button>
      }
    >
      <div className={styles.part}>
        <p>{t.restartNote}</p>
        {restart.error === null ? null : <ErrorState error={restart.error} title={t.notStarted} />}
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
      </div>
    </Dialog>
  )
}
