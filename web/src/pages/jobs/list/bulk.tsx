/** Replays or cancels selected jobs, or all that match the filters, and shows the progress. */
import { useQuery } from '@tanstack/react-query'
import { Ban, RotateCcw, X } from 'lucide-react'
import { serverNow } from '../../../browser/server-clock.ts'
import styles from '../../../bulk/bulk.module.css'
import { bulkMessages } from '../../../bulk/messages.ts'
import { useRequestKey } from '../../../form/use-request-key.ts'
import { useActions } from '../../../kit/action.tsx'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Selection } from '../../../kit/selection.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useErrorSentence } from '../../../ui/notice.tsx'
import { DismissButtons } from '../dismiss.tsx'
import { useStop } from '../operations/stop.ts'
import type { JobRow } from './rows.ts'
import {
  type BulkFilter,
  type BulkKind,
  bulkKinds,
  isFolded,
  type JobFilters,
  selectedKinds,
  toBulkFilter,
} from './search.ts'

const ICONS = { replay: RotateCcw, cancel: Ban } as const

/** The affected jobs: all that match the filters, or those with these ids. */
type BulkTarget = Readonly<{ filters: JobFilters } | { ids: readonly string[] }>

export const BulkButtons = ({ filters }: Readonly<{ filters: JobFilters }>) => {
  const t = useMessages(bulkMessages)
  return bulkKinds(filters).map((kind) => (
    <FormButton key={kind} label={t[`${kind}All`]} icon={ICONS[kind]} look="normal" need="jobs:run">
      {(close) => <BulkDialog kind={kind} target={{ filters }} onClose={close} />}
    </FormButton>
  ))
}

type SelectedButtonsProps = Readonly<{
  filters: JobFilters
  selection: Selection<JobRow>
}>

/** The actions on the selected jobs, shown instead of the buttons for all jobs. */
export const SelectedButtons = ({ filters, selection }: SelectedButtonsProps) => {
  const t = useMessages(bulkMessages)
  const { isAll, selectAll, clear } = selection
  const rows = selection.rows.flatMap((row) => (row.kind === 'job' ? [row.job] : []))
  const target = isAll ? { filters } : { ids: rows.map(({ id }) => id) }
  const kinds = selectedKinds(filters, isAll ? null : rows.map(({ status }) => status))
  return (
    <>
      <span role="status" className={styles.count}>
        {isAll ? t.allSelected : t.selected(rows.length)}
      </span>
      {isAll || filters.run !== undefined ? null : (
        <Button look="quiet" onClick={selectAll}>
          {t.selectAll}
        </Button>
      )}
      {kinds.map((kind) => (
        <FormButton
          key={kind}
          label={isAll ? t[`${kind}All`] : t[`${kind}Selected`]}
          icon={ICONS[kind]}
          look="normal"
        >
          {(close) => <BulkDialog kind={kind} target={target} onClose={close} onStarted={clear} />}
        </FormButton>
      ))}
      {isAll ? null : <DismissButtons jobs={rows} onDone={clear} />}
      <IconButton label={t.unselect} icon={<X size={16} />} onClick={clear} />
    </>
  )
}

type BulkDialogProps = Readonly<{
  kind: BulkKind
  target: BulkTarget
  onClose: () => void
  /** Called when the dialog with the progress is closed. */
  onStarted?: () => void
}>

const BulkDialog = ({ kind, target, onClose, onStarted }: BulkDialogProps) => {
  const t = useMessages(bulkMessages)
  const sentence = useErrorSentence()
  const ws = useWorkspace()
  const api = useApi()
  const idempotencyKey = useRequestKey(kind)
  const send = (filter: BulkFilter, isTrial: boolean) =>
    api.post('/jobs/bulk', {
      body: { do: kind, filter, dry_run: isTrial },
      ...(isTrial ? {} : { idempotencyKey }),
    })
  const { data: trial, error } = useQuery({
    queryKey: [ws, 'bulk', kind, target],
    queryFn: async () => {
      // later jobs are not included in the count
      const filter = 'ids' in target ? target : toBulkFilter(target.filters, serverNow())
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
      send={'ids' in target ? t[`${kind}Selected`] : t[`${kind}All`]}
      failed={t.notStarted}
      isDangerous={kind === 'cancel'}
      isComplete={matched > 0}
      touches={[
        [ws, 'jobs'],
        [ws, 'operations'],
      ]}
      run={async () => {
        if (trial === undefined) throw new Error('Nothing was counted.')
        return send(trial.filter, false)
      }}
      result={(answer) => (
        <Progress
          kind={kind}
          id={'operation_id' in answer ? answer.operation_id : ''}
          onClose={() => {
            onClose()
            onStarted?.()
          }}
        />
      )}
      onClose={onClose}
    >
      {error === null ? null : <p role="alert">{sentence(error)}</p>}
      <p>
        {trial === undefined && error === null
          ? t.counting
          : 'ids' in target
            ? t.matchedOf(matched, target.ids.length)
            : t.matched(matched)}
      </p>
      <p>{t[`${kind}Text`]}</p>
      {'filters' in target && isFolded(target.filters) ? <p>{t.withoutFlows}</p> : null}
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
  const { matched = 1, done = 0, failed = 0, status = 'running', stopped = false } = operation ?? {}
  const { buttons, question } = useActions([useStop({ id, status })], false)
  if (question !== null) return question
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t[`${kind}Title`]}
      foot={
        <>
          {buttons}
          <Button onClick={onClose}>{t.close}</Button>
        </>
      }
    >
      <div className="stack">
        <progress aria-label={t[`${kind}Title`]} max={matched} value={done + failed} />
        <p role="status">
          {t.progress(done, matched)} {failed === 0 ? '' : t.refused(failed)}
          {status === 'running' ? ` ${t.goesOn}` : ''}
          {stopped ? ` ${t.stopped}` : ''}
        </p>
      </div>
    </Dialog>
  )
}
