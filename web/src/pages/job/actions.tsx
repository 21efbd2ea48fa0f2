/** What can be done with a job, by who may. */
import { useMutation } from '@tanstack/react-query'
import { Ban, Play, Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { usePaletteCommand } from '../../app/palette-commands.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { useIdentity, useMay } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useErrorSentence } from '../../ui/notice.tsx'
import { announce } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import { RunAgain } from './run-again.tsx'
import { ShareJob } from './share.tsx'
import { shareMessages } from './share-messages.ts'

type JobActionsProps = Readonly<{ job: Schemas['JobDetail']; isOver: boolean }>

export const JobActions = ({ job, isOver }: JobActionsProps) => {
  const t = useMessages(messages)
  const { share } = useMessages(shareMessages)
  const may = useMay()
  const identity = useIdentity()
  const [open, setOpen] = useState<'cancel' | 'run' | 'share' | null>(null)
  const cancel = useCancel(job.id, () => setOpen(null))
  // admins cancel every job, others their own
  const mayCancel = !isOver && may('jobs:run') && (may('*') || identity === job.created_by)
  // who does not see the input has nothing to run again with
  const mayRun = may('jobs:run') && job.input !== undefined
  usePaletteCommand(mayCancel ? t.cancel : null, () => setOpen('cancel'))
  // who reads a job may share what they read
  usePaletteCommand(share, () => setOpen('share'))
  usePaletteCommand(mayRun ? t.runAgain : null, () => setOpen('run'))
  return (
    <>
      {mayRun ? (
        <Button onClick={() => setOpen('run')}>
          <Play size={15} aria-hidden="true" />
          {t.runAgain}
        </Button>
      ) : null}
      <Button onClick={() => setOpen('share')}>
        <Share2 size={15} aria-hidden="true" />
        {share}
      </Button>
      {mayCancel ? (
        <Button onClick={() => setOpen('cancel')}>
          <Ban size={15} aria-hidden="true" />
          {t.cancel}
        </Button>
      ) : null}
      <ConfirmDialog
        isOpen={open === 'cancel'}
        onClose={() => setOpen(null)}
        title={t.cancelTitle}
        text={t.cancelText}
        confirm={t.cancel}
        onConfirm={() => cancel.mutate()}
        isBusy={cancel.isPending}
      />
      {open === 'share' ? <ShareJob id={job.id} onClose={() => setOpen(null)} /> : null}
      {open === 'run' ? <RunAgain job={job} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

const useCancel = (id: string, onDone: () => void) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const sentence = useErrorSentence()
  return useMutation({
    mutationFn: () => api.post('/jobs/{id}/cancel', { params: { id }, body: {} }),
    onSuccess: ({ already_completed }) => {
      announce({ title: already_completed ? t.tooLate : t.canceled })
    },
    onError: (error) => announce({ tone: 'bad', title: t.notCanceled, text: sentence(error) }),
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: [ws, 'job', id] })
    },
  })
}
