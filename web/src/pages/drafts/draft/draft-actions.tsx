/** What can be done with a draft: save, check, deploy, undo, delete. Checking and deploying save first. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, Rocket, Save, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { ApiError, type ErrorDetail } from '#sdk/client.ts'
import { usePaletteCommand } from '../../../kit/palette-commands.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ChangeList } from '../../../ui/change-list.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Loading, useErrorSentence } from '../../../ui/notice.tsx'
import { announce } from '../../../ui/toast.tsx'
import { messages } from './messages.ts'
import { SavedMeanwhile, type useDraft } from './use-draft.ts'

type DraftActionsProps = Readonly<{
  draft: ReturnType<typeof useDraft>
  onChecked: (faults: readonly ErrorDetail[] | null) => void
}>

const useCheck = ({ draft, onChecked }: DraftActionsProps) => {
  const t = useMessages(messages)
  const api = useApi()
  const sentence = useErrorSentence()
  const app = draft.query.data?.app ?? ''
  return useMutation({
    mutationFn: async () => {
      if (Object.keys(draft.edits).length > 0) await draft.save.mutateAsync()
      return api.post('/drafts/{app}/check', { params: { app } })
    },
    onSuccess: ({ faults }) => onChecked(faults),
    onError: (error) => {
      // the page shows it already
      if (!(error instanceof SavedMeanwhile)) {
        announce({ tone: 'bad', title: t.notChecked, text: sentence(error) })
      }
    },
  })
}

export const DraftActions = (props: DraftActionsProps) => {
  const { draft } = props
  const t = useMessages(messages)
  const may = useMay()
  const [open, setOpen] = useState<'deploy' | 'discard' | null>(null)
  const check = useCheck(props)
  const isDirty = Object.keys(draft.edits).length > 0
  const mayWrite = may('drafts:write')
  const mayDeploy = may('deployments:write')
  usePaletteCommand(mayWrite ? t.check : null, () => check.mutate())
  usePaletteCommand(mayDeploy ? t.deploy : null, () => setOpen('deploy'))
  return (
    <>
      {mayWrite ? (
        <>
          {isDirty ? (
            <IconButton label={t.revert} icon={<Undo2 size={16} />} onClick={draft.revert} />
          ) : null}
          <Button
            disabled={!isDirty || draft.save.isPending}
            onClick={() => draft.save.mutate()}
            aria-keyshortcuts="Control+S Meta+S"
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
    </>
  )
}

type InDialog = Readonly<{ onClose: () => void }>

const DeployDialog = ({ draft, onChecked, onClose }: DraftActionsProps & InDialog) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [message, setMessage] = useState('')
  const app = draft.query.data?.app ?? ''
  const mayCheck = useMay()('drafts:write')
  const checked = useQuery({
    queryKey: [ws, 'draft-changes', app, draft.query.data?.updated_at],
    queryFn: async ({ signal }) => {
      if (Object.keys(draft.edits).length > 0) await draft.save.mutateAsync()
      return api.post('/drafts/{app}/check', { params: { app }, signal })
    },
    enabled: mayCheck,
    gcTime: 0,
    retry: false,
  })
  const deploy = useMutation({
    mutationFn: async () => {
      if (Object.keys(draft.edits).length > 0) await draft.save.mutateAsync()
      const body = message.trim() === '' ? {} : { message: message.trim() }
      return api.post('/drafts/{app}/deploy', { params: { app }, body })
    },
    onSuccess: async () => {
      onChecked(null)
      announce({ title: t.deployed, text: app })
      await queryClient.invalidateQueries({ queryKey: [ws] })
      void navigate({ to: '/w/$ws/apps/$app', params: { ws, app } })
    },
    onError: (error) => {
      // faults are shown next to the code
      const isFaulty = error instanceof ApiError && error.status === 422
      if (isFaulty) {
        const { details, message: sentence } = error
        onChecked(details.length === 0 ? [{ path: app, message: sentence }] : details)
      }
      if (isFaulty || error instanceof SavedMeanwhile) onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t.deployTitle(app)}
      send={t.deploy}
      onSend={() => deploy.mutate()}
      isDisabled={deploy.isPending || checked.isFetching}
      error={deploy.error ?? checked.error}
      failed={t.notDeployed}
    >
      <p>{t.deployText}</p>
      {checked.isFetching ? <Loading /> : null}
      {checked.data === undefined ? null : checked.data.changes === null ? (
        <p>{t.faults(checked.data.faults.length)}</p>
      ) : (
        <ChangeList changes={checked.data.changes} />
      )}
      <TextField
        label={t.message}
        hint={t.messageHint}
        maxLength={2_000}
        value={message}
        onText={setMessage}
      />
    </FormDialog>
  )
}

const Discard = ({
  draft,
  isOpen,
  onClose,
}: Pick<DraftActionsProps, 'draft'> & InDialog & Readonly<{ isOpen: boolean }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const sentence = useErrorSentence()
  const app = draft.query.data?.app ?? ''
  const discard = useMutation({
    mutationFn: () => api.delete('/drafts/{app}', { params: { app } }),
    onSuccess: async () => {
      draft.revert()
      announce({ title: t.discarded, text: app })
      await navigate({ to: '/w/$ws/drafts', params: { ws } })
      queryClient.removeQueries({ queryKey: [ws, 'draft', app] })
      await queryClient.invalidateQueries({ queryKey: [ws, 'drafts'] })
    },
    onError: (error) => {
      announce({ tone: 'bad', title: t.notDiscarded, text: sentence(error) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t.discardTitle}
      text={t.discardText}
      confirm={t.discard}
      onConfirm={() => discard.mutate()}
      isBusy={discard.isPending}
    />
  )
}
