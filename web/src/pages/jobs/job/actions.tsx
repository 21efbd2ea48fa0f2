/** The actions of a job that the person may take. */

import { Ban, Play, Share2 } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { ActionButtons } from '../../../kit/action.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useIdentity, useMay } from '../../../session/session.ts'
import { announce } from '../../../ui/toast.tsx'
import { DismissButtons } from '../dismiss.tsx'
import { messages } from './messages.ts'
import { RunAgain } from './run-again.tsx'
import { ShareJob } from './share.tsx'
import { shareMessages } from './share-messages.ts'

type JobActionsProps = Readonly<{ job: Schemas['JobDetail']; isOver: boolean }>

export const JobActions = ({ job, isOver }: JobActionsProps) => {
  const t = useMessages(messages)
  const { share } = useMessages(shareMessages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const identity = useIdentity()
  const { id } = job
  // a job cannot run again without its input
  const mayRun = may('jobs:run') && job.input !== undefined
  const cancel = async () => {
    const answer = await api.post('/jobs/{id}/cancel', { params: { id }, body: {} })
    announce({ title: answer.already_completed ? t.tooLate : t.canceled })
  }
  return (
    <>
      {mayRun ? (
        <FormButton label={t.runAgain} icon={Play} look="normal">
          {(close) => <RunAgain job={job} onClose={close} />}
        </FormButton>
      ) : null}
      {/* anyone who can read a job can share it */}
      <FormButton label={share} icon={Share2} look="normal">
        {(close) => <ShareJob id={id} onClose={close} />}
      </FormButton>
      {may('jobs:run') && (may('*') || identity === job.created_by) ? (
        <DismissButtons jobs={[job]} />
      ) : null}
      <ActionButtons
        actions={[
          {
            label: t.cancel,
            icon: Ban,
            // admins cancel every job, others their own
            isOffered: !isOver && may('jobs:run') && (may('*') || identity === job.created_by),
            confirm: { title: t.cancelTitle, text: t.cancelText },
            run: cancel,
            touches: [[ws, 'job', id]],
            failed: t.notCanceled,
          },
        ]}
      />
    </>
  )
}
