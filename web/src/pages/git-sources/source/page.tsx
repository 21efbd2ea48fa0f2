import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Pencil, RefreshCw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { ActionButtons } from '../../../kit/action.tsx'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { usePaletteCommand } from '../../../kit/palette-commands.ts'
import { useMessages } from '../../../language/messages.ts'
import { gitSourceQuery } from '../../../live/queries.ts'
import { lessOften } from '../../../live/read-interval.ts'
import { useApi } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { Card } from '../../../ui/facts.tsx'
import { GitSourceFacts } from '../../../ui/git-source-facts.tsx'
import { ErrorState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { announce } from '../../../ui/toast.tsx'
import { GitSourceForm } from '../git-source-form.tsx'
import { messages } from '../messages.ts'
import styles from '../page.module.css'

const route = getRouteApi('/w/$ws/git-sources/$id')

const EVERY_MS = 5_000

export const GitSourcePage = () => {
  const t = useMessages(messages)
  const { ws, id } = route.useParams()
  const api = useApi()
  const query = useQuery({
    ...gitSourceQuery(api, ws, id),
    refetchInterval: lessOften(EVERY_MS),
  })
  const trail = (
    <Link to="/w/$ws/git-sources" params={{ ws }}>
      {t.gitSources}
    </Link>
  )
  return (
    <DetailPage query={query} title={t.gitSources} trail={trail}>
      {(source) => <Source key={id} source={source} trail={trail} />}
    </DetailPage>
  )
}

const useSync = (id: string) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  return useMutation({
    mutationFn: () => api.post('/git-sources/{id}/sync', { params: { id } }),
    onSuccess: ({ deployments }) => {
      announce({
        title: t.syncedApps(deployments.length),
        text: deployments.length === 0 ? t.noApps : deployments.map(({ app }) => app).join(', '),
      })
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: [ws] })
    },
  })
}

type SourceProps = Readonly<{ source: Schemas['GitSource']; trail: ReactNode }>

const Source = ({ source, trail }: SourceProps) => {
  const t = useMessages(messages)
  const may = useMay()('git_sources:write')
  const sync = useSync(source.id)
  usePaletteCommand(may ? t.sync : null, () => sync.mutate())
  return (
    <Page
      title={source.name}
      trail={trail}
      about={`${t.by} ${source.created_by}`}
      actions={
        may ? (
          <>
            <Button look="primary" disabled={sync.isPending} onClick={() => sync.mutate()}>
              <RefreshCw size={15} aria-hidden="true" />
              {sync.isPending ? t.syncing : t.sync}
            </Button>
            <FormButton label={t.edit} icon={Pencil} look="normal">
              {(close) => <GitSourceForm known={source} onClose={close} />}
            </FormButton>
            <DeleteSource source={source} />
          </>
        ) : undefined
      }
    >
      {sync.error === null ? null : <ErrorState error={sync.error} title={t.syncFailed} />}
      <div className={styles.columns}>
        <Card title={t.details}>
          {/* the sync that just failed shows more */}
          <GitSourceFacts source={sync.error === null ? source : { ...source, last_error: null }} />
          {may && source.last_error !== null && sync.error === null ? (
            <p className="quiet">{t.seeFaults}</p>
          ) : null}
        </Card>
        <Card title={t.apps}>
          <Apps id={source.id} />
        </Card>
      </div>
    </Page>
  )
}

const MOST_APPS = 500

const Apps = ({ id }: Readonly<{ id: string }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const { data, error } = useQuery({
    queryKey: [ws, 'apps-of-source', id],
    queryFn: ({ signal }) => api.get('/apps', { query: { limit: MOST_APPS }, signal }),
  })
  if (data === undefined) return error === null ? null : <ErrorState error={error} />
  const apps = data.items.filter(({ git_source_id }) => git_source_id === id)
  if (apps.length === 0) return <p className="quiet">{t.appsNone}</p>
  return (
    <ul className={styles.rows}>
      {apps.map(({ key, commit }) => (
        <li key={key}>
          <Link to="/w/$ws/apps/$app" params={{ ws, app: key }}>
            {key}
          </Link>
          <CommitId commit={commit} />
        </li>
      ))}
    </ul>
  )
}

const DeleteSource = ({ source: { id, name } }: Readonly<{ source: Schemas['GitSource'] }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const navigate = route.useNavigate()
  const api = useApi()
  const leave = async (): Promise<void> => {
    await navigate({ to: '/w/$ws/git-sources', params: { ws } })
    queryClient.removeQueries({ queryKey: [ws, 'git-source', id] })
  }
  return (
    <ActionButtons
      actions={[
        {
          label: t.delete,
          icon: Trash2,
          look: 'quiet',
          confirm: { title: t.deleteTitle(name), text: t.deleteText },
          run: () => api.delete('/git-sources/{id}', { params: { id } }),
          touches: [[ws, 'git-sources']],
          done: t.deleted,
          failed: t.notDeleted,
          leadOn: () => void leave(),
        },
      ]}
    />
  )
}
