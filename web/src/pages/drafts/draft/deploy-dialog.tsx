/**
 * The plan before a draft is deployed: what is added, changed and removed in the app, then the same file by file. A plan
 * that removes something needs a second confirmation.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, type ErrorDetail } from '#sdk/client.ts'
import { useKeptFields } from '../../../form/use-kept-fields.ts'
import { useMessages } from '../../../language/messages.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { ChangeList } from '../../../ui/change-list.tsx'
import { CheckField, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Loading } from '../../../ui/notice.tsx'
import { announce } from '../../../ui/toast.tsx'
import type { Findings } from './fault-list.tsx'
import { FileChanges } from './file-changes.tsx'
import { messages } from './messages.ts'
import { SavedMeanwhile, type useDraft } from './use-draft.ts'

type DeployDialogProps = Readonly<{
  draft: ReturnType<typeof useDraft>
  onChecked: (findings: Findings | null) => void
  onClose: () => void
}>

const usePlan = ({ draft, onClose }: Pick<DeployDialogProps, 'draft' | 'onClose'>) => {
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const params = { app: draft.query.data?.app ?? '' }
  return useQuery({
    // without the version of the draft: a conflict changes it, and must not start the plan and its saving again
    queryKey: [ws, 'draft-plan', params.app],
    queryFn: async ({ signal }) => {
      if (Object.keys(draft.edits).length > 0) await saveOrClose(draft, onClose)
      const [checked, files] = await Promise.all([
        may('drafts:write') ? api.post('/drafts/{app}/check', { params, signal }) : null,
        may('drafts:read')
          ? api.get('/drafts/{app}/changes', { params, signal }).catch(refused)
          : null,
      ])
      return { checked, files }
    },
    gcTime: 0,
    retry: false,
  })
}

/** Saves the draft. If another person has saved meanwhile, it closes the dialog, because the page shows that. */
const saveOrClose = async (draft: DeployDialogProps['draft'], onClose: () => void) => {
  try {
    await draft.save.mutateAsync()
  } catch (error) {
    if (error instanceof SavedMeanwhile) onClose()
    throw error
  }
}

/** An app whose sources were not kept is deployed without the differences of its files. */
const refused = (error: unknown): ApiError => {
  if (error instanceof ApiError && error.status === 422) return error
  throw error
}

const useDeploy = (
  { draft, onChecked, onClose }: DeployDialogProps,
  message: string,
  forget: () => void,
) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const app = draft.query.data?.app ?? ''
  const deploy = async () => {
    if (Object.keys(draft.edits).length > 0) await draft.save.mutateAsync()
    const body = message.trim() === '' ? {} : { message: message.trim() }
    return api.post('/drafts/{app}/deploy', { params: { app }, body })
  }
  const showFaults = (error: unknown): never => {
    // faults are shown next to the code
    const isFaulty = error instanceof ApiError && error.status === 422
    if (isFaulty) {
      const { details, message: sentence } = error
      onChecked({ faults: details.length === 0 ? [{ path: app, message: sentence }] : details })
    }
    if (isFaulty || error instanceof SavedMeanwhile) onClose()
    throw error
  }
  return useChange({
    change: () => deploy().catch(showFaults),
    // only after success, because the plan is read again too, and reading it saves the draft
    touches: [],
    onDone: () => {
      forget()
      void queryClient.invalidateQueries({ queryKey: [ws] })
      onChecked(null)
      announce({ title: t.deployed, text: app })
    },
    leadOn: () => void navigate({ to: '/w/$ws/apps/$app', params: { ws, app } }),
  })
}

const Warnings = ({ warnings }: Readonly<{ warnings: readonly ErrorDetail[] }>) => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  if (warnings.length === 0) return null
  return (
    <section aria-label={t.warnings}>
      <p>{t.warned(warnings.length)}</p>
      <ul>
        {warnings.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path}</code> {inOwnWords(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}

export const DeployDialog = (props: DeployDialogProps) => {
  const { draft, onClose } = props
  const t = useMessages(messages)
  const ws = useWorkspace()
  const app = draft.query.data?.app ?? ''
  const [{ message }, set, forget] = useKeptFields(`deploy ${ws} ${app}`, { message: '' })
  const [isSure, setSure] = useState(false)
  const plan = usePlan(props)
  const deploy = useDeploy(props, message, forget)
  const { checked, files } = plan.data ?? { checked: null, files: null }
  const removed = checked?.changes?.removed.length ?? 0
  const isBusy = deploy.isBusy || plan.isFetching
  return (
    <FormDialog
      isWide
      onClose={onClose}
      title={t.deployTitle(app)}
      send={removed > 0 ? t.deployAndRemove : t.deploy}
      isDangerous={removed > 0}
      onSend={() => deploy.run(undefined)}
      isBusy={deploy.isBusy}
      isDisabled={isBusy || (removed > 0 && !isSure)}
      error={deploy.error ?? plan.error}
      failed={t.notDeployed}
    >
      <p>{t.deployText}</p>
      {plan.isFetching ? <Loading /> : null}
      {checked === null ? null : checked.changes === null ? (
        <p>{t.faults(checked.faults.length)}</p>
      ) : (
        <ChangeList changes={checked.changes} />
      )}
      <Warnings warnings={checked?.warnings ?? []} />
      {removed === 0 ? null : (
        <CheckField
          label={t.sure(removed)}
          required
          checked={isSure}
          onChange={(event) => setSure(event.target.checked)}
        />
      )}
      {files === null ? null : files instanceof ApiError ? (
        <p className="quiet">{files.message}</p>
      ) : (
        <FileChanges files={files.items} />
      )}
      <TextField
        label={t.message}
        hint={t.messageHint}
        maxLength={2_000}
        value={message}
        onText={(text) => set({ message: text })}
      />
    </FormDialog>
  )
}
