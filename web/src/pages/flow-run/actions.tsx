/** What can be done with a run, by who may. */
import { useMutation } from '@tanstack/react-query'
import { Ban, Play, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { usePaletteCommand } from '../../app/palette-commands.ts'
import type { FlowDefinition } from '../../flow/definition.ts'
import { StartDialog } from '../../flow/start-dialog.tsx'
import { isObject } from '../../form/schema-field.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { useIdentity, useMay } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useErrorSentence } from '../../ui/notice.tsx'
import { announce } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import { RestartDialog } from './restart-dialog.tsx'
import { restartableSteps } from './restartable.ts'
import { isOver } from './use-run.ts'

export type RunActionsProps = Readonly<{
  run: Schemas['FlowRunDetail']
  definition: FlowDefinition
  /** The step that is looked at. */
  step: string | null
}>

export const RunActions = ({ run, definition, step }: RunActionsProps) => {
  const t = useMessages(messages)
  const may = useMay()
  const identity = useIdentity()
  const [open, setOpen] = useState<'cancel' | 'again' | 'restart' | null>(null)
  const close = (): void => setOpen(null)
  const cancel = useCancel(run.id, close)
  const over = isOver(run)
  // admins cancel every run, others their own
  const mayCancel = !over && may('flows:run') && (may('*') || identity === run.created_by)
  // a webhook's body is a text, and a start takes an object alone; its restart takes it over
  const { input } = run
  const mayAgain = may('flows:run') && isObject(input)
  const steps = over ? restartableSteps(run.steps) : []
  const mayRestart = may('flows:run') && steps.length > 0
  const from = step !== null && steps.includes(step) ? step : (steps.at(-1) ?? '')
  usePaletteCommand(mayCancel ? t.cancel : null, () => setOpen('cancel'))
  usePaletteCommand(mayAgain ? t.runAgain : null, () => setOpen('again'))
  usePaletteCommand(mayRestart ? t.restart : null, () => setOpen('restart'))
  return (
    <>
      {mayAgain ? (
        <Button onClick={() => setOpen('again')}>
          <Play size={15} aria-hidden="true" />
          {t.runAgain}
        </Button>
      ) : null}
      {mayRestart ? (
        <Button onClick={() => setOpen('restart')}>
          <RotateCcw size={15} aria-hidden="true" />
          {step !== null && from === step ? t.restartHere : t.restart}
        </Button>
      ) : null}
      {mayCancel ? (
        <Button onClick={() => setOpen('cancel')}>
          <Ban size={15} aria-hidden="true" />
          {t.cancel}
        </Button>
      ) : null}
      <ConfirmDialog
        isOpen={open === 'cancel'}
        onClose={close}
        title={t.cancelTitle}
        text={t.cancelText}
        confirm={t.cancel}
        onConfirm={() => cancel.mutate()}
        isBusy={cancel.isPending}
      />
      {open === 'again' ? (
        <StartDialog
          app={run.app}
          flow={run.flow}
          definition={definition}
          draft={`run-again ${run.id}`}
          initial={input}
          note={t.runNote}
          onClose={close}
        />
      ) : null}
      {open === 'restart' ? (
        <RestartDialog runId={run.id} steps={steps} initial={from} onClose={close} />
      ) : null}
    </>
  )
}

const useCancel = (id: string, onDone: () => void) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const sentence = useErrorSentence()
  return useMutation({
    mutationFn: () => api.post('/flow-runs/{id}/cancel', { params: { id }, body: {} }),
    onSuccess: ({ status }) => announce({ title: status === 'canceled' ? t.canceled : t.tooLate }),
    onError: (error) => announce({ tone: 'bad', title: t.notCanceled, text: sentence(error) }),
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: [ws, 'flow-run', id] })
    },
  })
}
