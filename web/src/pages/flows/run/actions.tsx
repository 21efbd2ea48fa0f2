/** The actions of a run that the person may take. */

import { Ban, Columns2, Play, RotateCcw } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import type { FlowDefinition } from '../../../flow/definition.ts'
import { StartDialog } from '../../../flow/start-dialog.tsx'
import { ActionButtons } from '../../../kit/action.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useIdentity, useMay } from '../../../session/session.ts'
import { isObject } from '../../../ui/json-object.ts'
import { announce } from '../../../ui/toast.tsx'
import { DismissRunButtons } from '../dismiss.tsx'
import { CompareDialog } from './compare-dialog.tsx'
import { messages } from './messages.ts'
import { RestartDialog } from './restart-dialog.tsx'
import { restartableSteps } from './restartable.ts'
import { isOver } from './use-run.ts'

export type RunActionsProps = Readonly<{
  run: Schemas['FlowRunDetail']
  definition: FlowDefinition
  /** The selected step. */
  step: string | null
}>

export const RunActions = ({ run, definition, step }: RunActionsProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const identity = useIdentity()
  const over = isOver(run)
  const { id, input } = run
  // a webhook's body is text, and a start takes only objects; a restart reuses the body
  const mayAgain = may('flows:run') && isObject(input)
  const steps = over ? restartableSteps(run.steps) : []
  // admins act on every run, others on their own
  const isOwn = may('flows:run') && (may('*') || identity === run.created_by)
  const mayRestart = isOwn && steps.length > 0
  const from = step !== null && steps.includes(step) ? step : (steps.at(-1) ?? '')
  const cancel = async () => {
    const answer = await api.post('/flow-runs/{id}/cancel', { params: { id }, body: {} })
    announce({ title: answer.status === 'canceled' ? t.canceled : t.tooLate })
  }
  return (
    <>
      {mayAgain ? (
        <FormButton label={t.runAgain} icon={Play} look="normal">
          {(close) => (
            <StartDialog
              app={run.app}
              flow={run.flow}
              definition={definition}
              draft={`run-again ${id}`}
              initial={input}
              note={t.runNote}
              onClose={close}
            />
          )}
        </FormButton>
      ) : null}
      {mayRestart ? (
        <FormButton
          label={step !== null && from === step ? t.restartHere : t.restart}
          icon={RotateCcw}
          look="normal"
        >
          {(close) => <RestartDialog runId={id} steps={steps} initial={from} onClose={close} />}
        </FormButton>
      ) : null}
      <FormButton label={t.compare} icon={Columns2} look="normal">
        {(close) => <CompareDialog run={run} onClose={close} />}
      </FormButton>
      {isOwn ? <DismissRunButtons runs={[run]} /> : null}
      <ActionButtons
        actions={[
          {
            label: t.cancel,
            icon: Ban,
            isOffered: !over && isOwn,
            confirm: { title: t.cancelTitle, text: t.cancelText },
            run: cancel,
            touches: [[ws, 'flow-run', id]],
            failed: t.notCanceled,
          },
        ]}
      />
    </>
  )
}
