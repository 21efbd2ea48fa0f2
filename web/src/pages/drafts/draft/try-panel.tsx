/**
 * Runs an action from the files in the editor, saved or not, without deploying it. The files become this person's preview
 * of the app, and its job runs in the sandbox like any other. Log, result and error appear here.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError, type Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { IconButton } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/form/field.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import type { FaultPlace } from '../fault-place.ts'
import type { Findings } from './fault-list.tsx'
import { messages } from './messages.ts'
import { TryForm } from './try-form.tsx'
import { TryOutcome } from './try-outcome.tsx'
import styles from './try-panel.module.css'
import type { useDraft } from './use-draft.ts'

export type TryPanelProps = Readonly<{
  draft: ReturnType<typeof useDraft>
  /** The file that is open. */
  file: string | undefined
  /** Receives the faults of manifest and code; null if there are none. */
  onFaults: (findings: Findings | null) => void
  onOpen: (place: FaultPlace) => void
  onClose: () => void
}>

type Trial = Readonly<{ app: string; deploymentId: string; actions: readonly Schemas['Action'][] }>

const isFaulty = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 422

/** Creates the trial from the current files. */
const useTrial = ({ draft, onFaults }: Pick<TryPanelProps, 'draft' | 'onFaults'>) => {
  const ws = useWorkspace()
  const api = useApi()
  const app = draft.query.data?.app ?? ''
  const queryKey = [ws, 'trial', app]
  const prepare = async (): Promise<Trial> => {
    try {
      const body = { files: draft.files }
      const made = await api.post('/drafts/{app}/try', { params: { app }, body })
      onFaults(null)
      const known = queryClient.getQueryData<Trial>(queryKey)
      if (known?.deploymentId === made.deployment_id) return known
      const { items } = await api.get('/apps/{app}/actions', { params: { app: made.app } })
      return { app: made.app, deploymentId: made.deployment_id, actions: items }
    } catch (error) {
      // faults are shown next to the code
      if (isFaulty(error)) {
        const { details, message } = error
        onFaults({ faults: details.length === 0 ? [{ path: app, message }] : details })
      }
      throw error
    }
  }
  const query = useQuery({
    queryKey,
    queryFn: prepare,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const run = useMutation({
    mutationFn: async ({ action, input }: Readonly<{ action: string; input: Json }>) => {
      const trial = await prepare()
      queryClient.setQueryData(queryKey, trial)
      const params = { app: trial.app, action }
      return api.post('/jobs/run/{app}/{action}', { params, body: input })
    },
  })
  return { query, run }
}

export const TryPanel = ({ draft, file, onFaults, onOpen, onClose }: TryPanelProps) => {
  const t = useMessages(messages)
  const { query, run } = useTrial({ draft, onFaults })
  // the action of the file that was open first; opening another file does not change it
  const [first] = useState(file)
  const [chosen, setChosen] = useState<string | null>(null)
  const actions = query.data?.actions ?? []
  const action =
    actions.find(({ key }) => key === chosen) ??
    actions.find(({ entrypoint }) => entrypoint === first) ??
    actions[0]
  const error = run.error ?? query.error
  // the panel opens below the editor and may be out of view
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <section ref={panel} tabIndex={-1} className={styles.panel} aria-label={t.tryIt}>
      <div className={styles.head}>
        <h2>{t.tryIt}</h2>
        <p className="quiet">{t.tryText}</p>
        <IconButton label={t.close} icon={<X size={15} />} onClick={onClose} />
      </div>
      {query.isFetching ? <Loading /> : null}
      {error === null ? null : isFaulty(error) ? (
        <p role="alert">
          {t.notTried}{' '}
          {query.data === undefined ? (
            <button type="button" className={styles.again} onClick={() => void query.refetch()}>
              {t.tryAgain}
            </button>
          ) : null}
        </p>
      ) : (
        <ErrorState error={error} title={t.notRun} />
      )}
      {query.data === undefined ? null : action === undefined ? (
        <p>{t.noActions}</p>
      ) : (
        <div className={styles.panes}>
          <div className={styles.pane}>
            <SelectField
              label={t.action}
              value={action.key}
              onChange={(key) => {
                setChosen(key)
                run.reset()
              }}
              options={actions.map(({ key }) => ({ value: key, label: key }))}
            />
            <TryForm
              key={action.key}
              app={draft.query.data?.app ?? ''}
              action={action}
              error={run.error}
              isBusy={run.isPending}
              onRun={(input) => run.mutate({ action: action.key, input })}
            />
          </div>
          <div className={styles.pane}>
            {run.data === undefined ? (
              <p className="quiet">{t.noTrial}</p>
            ) : (
              <TryOutcome
                key={run.data.job_id}
                id={run.data.job_id}
                files={draft.files}
                onOpen={onOpen}
              />
            )}
          </div>
        </div>
      )}
    </section>
  )
}
