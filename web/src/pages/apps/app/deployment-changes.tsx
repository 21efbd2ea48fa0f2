/** What a deployment changed compared with another one: its actions and flows, then the manifest line by line. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { IconButton } from '../../../ui/button.tsx'
import { diffLines, toHunks } from '../../../ui/code/diff-lines.ts'
import { DiffView } from '../../../ui/code/diff-view.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { Card } from '../../../ui/facts.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { shortCommit } from '../../../ui/short-commit.ts'
import { SelectFilter } from '../../../ui/table/filters.tsx'
import { compareDeployments } from '../compare-deployments.ts'
import { messages } from './deployment-messages.ts'
import styles from './deployments.module.css'
import { Redeploy } from './redeploy.tsx'

const route = getRouteApi('/w/$ws/apps/$app')

type Detail = Schemas['DeploymentDetail']

const useDeployment = (id: string | undefined): UseQueryResult<Detail> => {
  const { ws } = route.useParams()
  const api = useApi()
  return useQuery({
    queryKey: [ws, 'deployment', id],
    queryFn: ({ signal }) => api.get('/deployments/{id}', { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
    // a deployment never changes
    staleTime: Number.POSITIVE_INFINITY,
  })
}

type DeploymentChangesProps = Readonly<{
  id: string
  base: string | undefined
  /** The id of the deployment that the app runs now. */
  currentId: string | null
  /** Newest first. */
  history: readonly Schemas['Deployment'][]
}>

export const DeploymentChanges = ({ id, base, currentId, history }: DeploymentChangesProps) => {
  const t = useMessages(messages)
  const navigate = route.useNavigate()
  const may = useMay()
  const { short } = useFormat()
  const others = history.filter(({ deployment_id }) => deployment_id !== id)
  const at = history.findIndex(({ deployment_id }) => deployment_id === id)
  const before = at === -1 ? undefined : history[at + 1]
  const baseId = base ?? before?.deployment_id
  const target = useDeployment(id)
  const other = useDeployment(baseId)
  const error = target.error ?? other.error
  return (
    <Card
      title={
        target.data === undefined ? t.changes : `${t.changes} · ${shortCommit(target.data.commit)}`
      }
      actions={
        <span className={styles.tools}>
          {baseId === undefined ? null : (
            <SelectFilter
              label={t.comparedWith}
              value={baseId}
              onChange={(next) =>
                void navigate({ search: { tab: 'deployments', deployment: id, base: next } })
              }
              options={others.map(({ deployment_id, commit, created_at }) => ({
                value: deployment_id,
                label: `${shortCommit(commit)} · ${short(created_at)}`,
              }))}
            />
          )}
          <IconButton
            label={t.close}
            icon={<X size={16} />}
            onClick={() => void navigate({ search: { tab: 'deployments' } })}
          />
        </span>
      }
    >
      {error !== null ? (
        <ErrorState error={error} />
      ) : baseId === undefined ? (
        <p className="quiet">{t.first}</p>
      ) : target.data === undefined || other.data === undefined ? (
        <Loading />
      ) : (
        <Changes base={other.data} target={target.data} />
      )}
      {target.data === undefined || id === currentId || !may('deployments:write') ? null : (
        <div>
          <Redeploy deployment={target.data} />
        </div>
      )}
    </Card>
  )
}

const Changes = ({ base, target }: Readonly<{ base: Detail; target: Detail }>) => {
  const t = useMessages(messages)
  const changes = compareDeployments(base, target)
  const lines = (detail: Detail): readonly string[] =>
    JSON.stringify(detail.manifest, withoutNull, 2).split('\n')
  const hunks = toHunks(diffLines(lines(base), lines(target)))
  return (
    <>
      <p className="quiet">
        <CommitId commit={base.commit} /> → <CommitId commit={target.commit} />
      </p>
      {changes.length === 0 ? (
        <p>{t.nothing}</p>
      ) : (
        <ul className={styles.changes}>
          {changes.map(({ kind, key, how }) => (
            <li key={`${kind} ${key}`}>
              <span className="quiet">{t[kind]}</span> <strong>{key}</strong>{' '}
              <span data-how={how}>{t[how]}</span>
            </li>
          ))}
        </ul>
      )}
      {hunks.length === 0 ? null : <DiffView label={t.manifestDiff} hunks={hunks} />}
    </>
  )
}

/** Leaves null values out of the comparison, like keys that a manifest does not have. */
const withoutNull = (_: string, value: unknown): unknown => value ?? undefined
