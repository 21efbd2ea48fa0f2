/** The actions of a draft: save, check, deploy, undo, delete. Check and deploy save first. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, FlaskConical, Rocket, Save, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { isApple } from '../../../browser/platform.ts'
import { usePaletteCommand } from '../../../kit/palette-commands.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { useErrorSentence } from '../../../ui/notice.tsx'
import { announce } from '../../../ui/toast.tsx'
import { DeployDialog } from './deploy-dialog.tsx'
import type { Findings } from './fault-list.tsx'
import { messages } from './messages.ts'
import { SavedMeanwhile, type useDraft } from './use-draft.ts'

type DraftActionsProps = Readonly<{
  draft: ReturnType<typeof useDraft>
  onChecked: (findings: Findings | null) => void
  /** Whether the panel for trials is open. */
  isTrying: boolean
  onTry: (isTrying: boolean) => void
}>

const useCheck = ({ draft, onChecked }: Pick<DraftActionsProps, 'draft' | 'onChecked'>) => {
  const t = useMessages(messages)
  const api = useApi()
  const sentence = useErrorSentence()
  const app = draft.query.data?.app ?? ''
  return useMutation({
    mutationFn: async () => {
      if (Object.keys(draft.edits).length > 0) await draft.save.mutateAsync()
      return api.post('/drafts/{app}/check', { params: { app } })
    },
    onSuccess: onChecked,
    onError: (error) => {
      // the page already shows it
      if (!(error instanceof SavedMeanwhile)) {
        announce({ tone: 'bad', title: t.notChecked, text: sentence(error) })
      }
    },
  })
}

export const DraftActions = (props: DraftActionsProps) => {
  const { draft, isTrying, onTry } = props
  const t = useMessages(messages)
  const may = useMay()
  const [open, setOpen] = useState<'deploy' | 'discard' | 'revert' | null>(null)
  const check = useCheck(props)
  const isDirty = Object.keys(draft.edits).length > 0
  const mayWrite = may('drafts:write')
  const mayDeploy = may('deployments:write')
  usePaletteCommand(mayWrite ? t.check : null, () => check.mutate())
  // a trial can read the variables of the workspace, like deployed code
  const mayTry = mayDeploy && may('jobs:run')
  usePaletteCommand(mayTry ? t.tryIt : null, () => onTry(true))
  usePaletteCommand(mayDeploy ? t.deploy : null, () => setOpen('deploy'))
  return (
    <>
      {mayWrite ? (
        <>
          {isDirty ? (
            <IconButton
              label={t.revert}
              icon={<Undo2 size={16} />}
              onClick={() => setOpen('revert')}
            />
          ) : null}
          <Button
            disabled={!isDirty || draft.save.isPending}
            onClick={() => draft.save.mutate()}
            aria-keyshortcuts={isApple ? 'Meta+S' : 'Control+S'}
          >
            <Save size={15} aria-hidden="true" />
            {t.save}
          </Button>
          <Button disabled={check.isPending} onClick={() => check.mutate()}>
            <Check size={15} aria-hidden="true" />
            {t.check}
          </Button>
        </>
      ) : null}
      {mayTry ? (
        <Button aria-expanded={isTrying} onClick={() => onTry(!isTrying)}>
          <FlaskConical size={15} aria-hidden="true" />
          {t.tryIt}
        </Button>
      ) : null}
      {mayDeploy ? (
        <Button look="primary" onClick={() => setOpen('deploy')}>
          <Rocket size={15} aria-hidden="true" />
          {t.deploy}
        </Button>
      ) : null}
      {mayWrite ? (
        <IconButton
          label={t.discard}
          icon={<Trash2 size={16} />}
          onClick={() => setOpen('discard')}
        />
      ) : null}
      {open === 'deploy' ? <DeployDialog {...props} onClose={() => setOpen(null)} /> : null}
      <Discard draft={draft} isOpen={open === 'discard'} onClose={() => setOpen(null)} />
      <Revert draft={draft} isOpen={open === 'revert'} onClose={() => setOpen(null)} />
    </>
  )
}

type InDialog = Readonly<{ onClose: () => void }>
type Question = Pick<DraftActionsProps, 'draft'> & InDialog & Readonly<{ isOpen: boolean }>

const Revert = ({ draft, isOpen, onClose }: Question) => {
  const t = useMessages(messages)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t.revertTitle}
      text={t.revertText(Object.keys(draft.edits).length)}
      confirm={t.revertNow}
      onConfirm={() => {
        draft.revert()
        onClose()
      }}
    />
  )
}

const Discard = ({ draft, isOpen, onClose }: Question) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const app = draft.query.data?.app ?? ''
  const leave = async (): Promise<void> => {
    await navigate({ to: '/w/$ws/drafts', params: { ws } })
    queryClient.removeQueries({ queryKey: [ws, 'draft', app] })
  }
  const discard = useChange({
    change: () => api.delete('/drafts/{app}', { params: { app } }),
    touches: [[ws, 'drafts']],
    failed: t.notDiscarded,
    onDone: () => {
      draft.revert()
      announce({ title: t.discarded, text: app })
    },
    leadOn: () => void leave(),
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t.discardTitle}
      text={t.discardText}
      confirm={t.discard}
      onConfirm={() => discard.run(undefined)}
      isBusy={discard.isBusy}
    />
  )
}
