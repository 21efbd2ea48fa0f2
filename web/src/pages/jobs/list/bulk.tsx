/** Replays or cancels all jobs that the filters show, and shows how far that is. */
import { useQuery } from '@tanstack/react-query'
import { Ban, RotateCcw } from 'lucide-react'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { bulkMessages } from './bulk-messages.ts'
import {
  type BulkFilter,
  type BulkKind,
  bulkKinds,
  type JobFilters,
  toBulkFilter,
} from './search.ts'

const ICONS = { replay: RotateCcw, cancel: Ban } as const

export const BulkButtons = ({ filters }: Readonly<{ filters: JobFilters }>) => {
  const t = useMessages(bulkMessages)
  return bulkKinds(filters).map((kind) => (
    <FormButton key={kind} label={t[`${kind}All`]} icon={ICONS[kind]} look="normal" need="jobs:run">
      {(close) => <BulkDialog kind={kind} filters={filters} onClose={close} />}
    </FormButton>
  ))
}

type BulkDialogProps = Readonly<{ kind: BulkKind; filters: JobFilters; onClose: () => void }>

const BulkDialog = ({ kind, filters, onClose }: BulkDialogProps) => {
  const t = useMessages(bulkMessages)
  const ws = useWorkspace()
  const api = useApi()
  const send = (filter: BulkFilter, isTrial: boolean) =>
    api.post('/jobs/bulk', { body: { do: kind, filter, dry_run: isTrial } })
  const { data: trial, error } = useQuery({
    queryKey: [ws, 'bulk', kind, filters],
    queryFn: async () => {
      // later jobs are not in what was counted
      const filter = toBulkFilter(filters, Date.now())
      return { filter, matched: (await send(filter, true)).matched }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const matched = trial?.matched ?? 0
  return (
    <ActionDialog
      title={t[`${kind}Title`]}
      send={t[`${kind}All`]}
      failed={t.notStarted}
      isDangerous={kind === 'cancel'}
      isComplete={matched > 0}
      touches={[[ws, 'jobs']]}
      run={async () => {
        if (trial === undefined) throw new Error('Nothing was counted.')
        return send(trial.filter, false)
      }}
      result={(answer) => (
        <Progress
          kind={kind}
          id={'operation_id' in answer ? answer.operation_id : ''}
          onClose={onClose}
        />
      )}
      onClose={onClose}
    >
      {error === null ? null : <p role="alert">{error.message}</p>}
      <p>{trial === undefined && error === null ? t.counting : t.matched(matched)}</p>
      <p>{t[`${kind}Text`]}</p>
    </ActionDialog>
  )
}

const EVERY_MS = 500

type ProgressProps = Readonly<{ kind: BulkKind; id: string; onClose: () => void }>

const Progress = ({ kind, id, onClose }: ProgressProps) => {
  const t = useMessages(bulkMessages)
  const ws = useWorkspace()
  const api = useApi()
  const { data: operation } = useQuery({
    queryKey: [ws, 'operation', id],
    queryFn: ({ signal }) => api.get('/operations/{id}', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? EVERY_MS : false),
  })
  const { matched = 1, done = 0, failed = 0, status = 'running' } = operation ?? {}
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t[`${kind}Title`]}
      foot={<Button onClick={onClose}>{t.close}</Button>}
    >
      <div className="stack">
        <progress aria-label={t[`${kind}Title`]} max={matched} value={done + failed} />
        <p role="status">
          {t.progress(done, matched)} {failed === 0 ? '' : t.refused(failed)}
          {status === 'running' ? ` ${t.goesOn}` : ''}
        </p>
      </div>
    </Dialog>
  )
}
