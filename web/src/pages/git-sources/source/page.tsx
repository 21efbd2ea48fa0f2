import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { usePaletteCommand } from '../../../app/palette-commands.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Card } from '../../../ui/facts.tsx'
import { GitSourceFacts } from '../../../ui/git-source-facts.tsx'
import { ErrorState, Loading, useErrorSentence } from '../../../ui/notice.tsx'
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
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'git-source', id],
    queryFn: ({ signal }) => api.get('/git-sources/{id}', { params: { id }, signal }),
    refetchInterval: EVERY_MS,
  })
  const trail = (
    <Link to="/w/$ws/git-sources" params={{ ws }}>
      {t.title}
    </Link>
  )
  if (data !== undefined) return <Source key={id} source={data} />
  return (
    <Page title={t.title} trail={trail}>
      {error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </Page>
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

const Source = ({ source }: Readonly<{ source: Schemas['GitSource'] }>) => {
  const t = useMessages(messages)
  const { ws, id } = route.useParams()
  const may = useMay()('git_sources:write')
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const sync = useSync(id)
  usePaletteCommand(may ? t.sync : null, () => sync.mutate())
  return (
    <Page
      title={source.name}
      trail={
        <Link to="/w/$ws/git-sources" params={{ ws }}>
          {t.title}
        </Link>
      }
      about={`${t.by} ${source.created_by}`}
      actions={
        may ? (
          <>
            <Button look="primary" disabled={sync.isPending} onClick={() => sync.mutate()}>
              <RefreshCw size={15} aria-hidden="true" />
              {sync.isPending ? t.syncing : t.sync}
            </Button>
            <Button onClick={() => setOpen('edit')}>
              <Pencil size={15} aria-hidden="true" />
              {t.edit}
            </Button>
            <Button look="quiet" onClick={() => setOpen('delete')}>
              <Trash2 size={15} aria-hidden="true" />
              {t.delete}
            </Button>
          </>
        ) : undefined
      }
    >
      {sync.error === null ? null : <ErrorState error={sync.error} title={t.syncFailed} />}
      <div className={styles.columns}>
        <Card title={t.details}>
          {/* what the sync just said, it says better */}
          <GitSourceFacts source={sync.error === null ? source : { ...source, last_error: null }} />
          {may && source.last_error !== null && sync.error === null ? (
            <p className={styles.quiet}>{t.seeFaults}</p>
          ) : null}
        </Card>
        <Card title={t.apps}>
          <Apps id={id} />
        </Card>
      </div>
      {open === 'edit' ? <GitSourceForm known={source} onClose={() => setOpen(null)} /> : null}
      <DeleteSource source={source} isOpen={open === 'delete'} onClose={() => setOpen(null)} />
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
  if (apps.length === 0) return <p className={styles.quiet}>{t.appsNone}</p>
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

type DeleteSourceProps = Readonly<{
  source: Schemas['GitSource']
  isOpen: boolean
  onClose: () => void
}>

const DeleteSource = ({ source: { id, name }, isOpen, onClose }: DeleteSourceProps) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const navigate = route.useNavigate()
  const api = useApi()
  const sentence = useErrorSentence()
  const remove = useMutation({
    mutationFn: () => api.delete('/git-sources/{id}', { params: { id } }),
    onSuccess: async () => {
      announce({ title: t.deleted, text: name })
      await navigate({ to: '/w/$ws/git-sources', params: { ws } })
      queryClient.removeQueries({ queryKey: [ws, 'git-source', id] })
      await queryClient.invalidateQueries({ queryKey: [ws, 'git-sources'] })
    },
    onError: (error) => {
      announce({ tone: 'bad', title: t.notDeleted, text: sentence(error) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t.deleteTitle(name)}
      text={t.deleteText}
      confirm={t.delete}
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
    />
  )
}
