import { getRouteApi } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleDashed, Plus } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { usePaletteCommand } from '../../../app/palette-commands.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { LiveTable } from '../../../live/live-table.tsx'
import { useShortList } from '../../../live/use-short-list.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { type Column, RowLink } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { GitSourceForm } from '../git-source-form.tsx'
import { messages } from '../messages.ts'
import styles from '../page.module.css'

const route = getRouteApi('/w/$ws/git-sources')

const PAGE_ROWS = 200

type GitSource = Schemas['GitSource']
const keyOf = ({ id }: GitSource): string => id

export const GitSourcesPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { form } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()('git_sources:write')
  const columns = useColumns(ws)
  const list = useShortList<GitSource>({
    queryKey: [ws, 'git-sources'],
    read: (cursor, signal) =>
      api.get('/git-sources', { query: { cursor, limit: PAGE_ROWS }, signal }),
  })
  const open = (): void => void navigate({ search: { form: 'new' } })
  usePaletteCommand(may ? t.connect : null, open)
  return (
    <Page
      title={t.title}
      isFilled
      actions={
        may ? (
          <Button onClick={open}>
            <Plus size={15} aria-hidden="true" />
            {t.connect}
          </Button>
        ) : undefined
      }
    >
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState title={t.none} text={may ? t.noneText : t.noneReader}>
            {may ? (
              <Button look="primary" onClick={open}>
                {t.connect}
              </Button>
            ) : null}
          </EmptyState>
        }
      />
      {may && form === 'new' ? (
        <GitSourceForm known={null} onClose={() => void navigate({ search: {} })} />
      ) : null}
    </Page>
  )
}

const SyncState = ({ source }: Readonly<{ source: GitSource }>) => {
  const t = useMessages(messages)
  if (source.last_error !== null) {
    return (
      <span className={styles.bad} title={source.last_error}>
        <CircleAlert size={15} aria-hidden="true" /> {t.failing}
      </span>
    )
  }
  return source.last_sync_at === null ? (
    <span className={styles.state}>
      <CircleDashed size={15} aria-hidden="true" /> {t.never}
    </span>
  ) : (
    <span className={styles.good}>
      <CircleCheck size={15} aria-hidden="true" /> {t.synced}
    </span>
  )
}

const MS_PER_S = 1_000

const useColumns = (ws: string): readonly Column<GitSource>[] => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  return [
    {
      key: 'name',
      header: t.name,
      width: 'minmax(8rem, 1fr)',
      cell: ({ id, name }) => (
        <RowLink to="/w/$ws/git-sources/$id" params={{ ws, id }}>
          {name}
        </RowLink>
      ),
    },
    {
      key: 'state',
      header: t.state,
      width: '6.5rem',
      cell: (source) => <SyncState source={source} />,
    },
    {
      key: 'repository',
      header: t.repository,
      width: 'minmax(10rem, 2fr)',
      isWideOnly: true,
      cell: ({ url, path }) => (
        <code title={url}>
          {url}
          {path === '' ? '' : ` · ${path}`}
        </code>
      ),
    },
    {
      key: 'branch',
      header: t.branch,
      width: '7rem',
      isWideOnly: true,
      cell: ({ branch }) => branch ?? '–',
    },
    {
      key: 'auto',
      header: t.auto,
      width: '6.5rem',
      isWideOnly: true,
      cell: ({ auto_sync_s: every }) => (every === null ? t.off : duration(every * MS_PER_S)),
    },
    {
      key: 'at',
      header: t.when,
      width: '6.5rem',
      isEnd: true,
      cell: ({ last_sync_at: at }) => (at === null ? '–' : <TimeAgo at={at} />),
    },
  ]
}
