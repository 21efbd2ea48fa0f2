import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../../../app/form-button.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { LiveTable } from '../../../live/live-table.tsx'
import { useShortList } from '../../../live/use-short-list.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { type Column, RowLink } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { DeployGuide } from '../deploy-guide.tsx'
import { messages } from './messages.ts'
import { NewApp } from './new-app.tsx'

const route = getRouteApi('/w/$ws/apps')

const PAGE_ROWS = 200
const DAY_S = 86_400
const COUNTS_EVERY_MS = 10_000

const keyOf = ({ key }: Schemas['App']): string => key

export const AppsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const may = useMay()
  const columns = useColumns(ws)
  const list = useShortList<Schemas['App']>({
    queryKey: [ws, 'apps'],
    read: (cursor, signal) => api.get('/apps', { query: { cursor, limit: PAGE_ROWS }, signal }),
  })
  const mayDeploy = may('deployments:write')
  return (
    <Page
      title={t.title}
      isFilled
      actions={
        <>
          {may('git_sources:write') ? (
            <ButtonLink to="/w/$ws/git-sources" params={{ ws }} search={{ form: 'new' }}>
              <GitBranch size={15} aria-hidden="true" />
              {t.fromGit}
            </ButtonLink>
          ) : null}
          {mayDeploy ? (
            <FormButton label={t.newApp} look="normal">
              {(close) => <NewApp onClose={close} />}
            </FormButton>
          ) : null}
        </>
      }
    >
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState title={t.none} text={mayDeploy ? t.noneText : t.noneReader}>
            {mayDeploy ? <DeployGuide /> : null}
          </EmptyState>
        }
      />
    </Page>
  )
}

/** Counts of the last day by app; nothing while they are not known. */
const useCounts = (ws: string): ReadonlyMap<string, Schemas['JobSummary']['by_app'][number]> => {
  const api = useApi()
  const may = useMay()
  const { data } = useQuery({
    queryKey: [ws, 'summary', DAY_S],
    queryFn: ({ signal }) => api.get('/jobs/summary', { query: { recent_seconds: DAY_S }, signal }),
    refetchInterval: COUNTS_EVERY_MS,
    enabled: may('jobs:read'),
  })
  return new Map((data?.by_app ?? []).map((each) => [each.app, each]))
}

const useColumns = (ws: string): readonly Column<Schemas['App']>[] => {
  const t = useMessages(messages)
  const { compact } = useFormat()
  const counts = useCounts(ws)
  const count = (value: number | undefined): string =>
    value === undefined || value === 0 ? '–' : compact(value)
  return [
    {
      key: 'app',
      header: t.app,
      width: 'minmax(8rem, 1.5fr)',
      cell: ({ key }) => (
        <RowLink to="/w/$ws/apps/$app" params={{ ws, app: key }}>
          {key}
        </RowLink>
      ),
    },
    {
      key: 'name',
      header: t.name,
      width: 'minmax(6rem, 1.5fr)',
      isWideOnly: true,
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      key: 'source',
      header: t.source,
      width: '5rem',
      isWideOnly: true,
      cell: ({ deployment_id, git_source_id }) => {
        if (git_source_id !== null) return t.git
        return deployment_id === null ? t.empty : t.upload
      },
    },
    {
      key: 'version',
      header: t.version,
      width: '6.5rem',
      isWideOnly: true,
      cell: ({ commit }) => <CommitId commit={commit} />,
    },
    {
      key: 'running',
      header: t.running,
      width: '5.5rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ key }) => count(counts.get(key)?.running),
    },
    {
      key: 'completed',
      header: t.completed,
      width: '8rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ key }) => count(counts.get(key)?.completed),
    },
    {
      key: 'failed',
      header: t.failed,
      width: '6rem',
      isEnd: true,
      cell: ({ key }) => {
        const failed = counts.get(key)?.failed ?? 0
        return failed === 0 ? '–' : <span style={{ color: 'var(--bad)' }}>{compact(failed)}</span>
      },
    },
    {
      key: 'changed',
      header: t.changed,
      width: '6.5rem',
      isEnd: true,
      cell: ({ updated_at }) => <TimeAgo at={updated_at} />,
    },
  ]
}
