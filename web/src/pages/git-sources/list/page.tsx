import { getRouteApi } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleDashed, Plus } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { aged, atEnd, column, text, wide } from '../../../kit/columns.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { usePaletteCommand } from '../../../kit/palette-commands.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { SECOND_MS } from '../../../language/units.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { GitSourceForm } from '../git-source-form.tsx'
import { messages } from '../messages.ts'
import styles from '../page.module.css'

const route = getRouteApi('/w/$ws/git-sources')

type GitSource = Schemas['GitSource']

export const GitSourcesPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { form } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()('git_sources:write')
  const open = (): void => void navigate({ search: { form: 'new' } })
  usePaletteCommand(may ? t.connect : null, open)
  return (
    <ResourcePage<GitSource>
      title={t.gitSources}
      actions={
        may ? (
          <Button look="primary" onClick={open}>
            <Plus size={15} aria-hidden="true" />
            {t.connect}
          </Button>
        ) : undefined
      }
      isByName
      queryKey={[ws, 'git-sources']}
      read={(page) => api.get('/git-sources', page)}
      keyOf={({ id }) => id}
      columns={useColumns(ws)}
      empty={{
        title: t.none,
        text: may ? t.noneText : t.noneReader,
        children: may ? (
          <Button look="primary" onClick={open}>
            {t.connect}
          </Button>
        ) : null,
      }}
    >
      {may && form === 'new' ? (
        <GitSourceForm known={null} onClose={() => void navigate({ search: {} })} />
      ) : null}
    </ResourcePage>
  )
}

const SyncState = ({ source }: Readonly<{ source: GitSource }>) => {
  const t = useMessages(messages)
  const toOwnLanguage = useServerSentence()
  if (source.last_error !== null) {
    return (
      <span className={styles.bad} title={toOwnLanguage(source.last_error)}>
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

const useColumns = (ws: string): readonly Column<GitSource>[] => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  return [
    column(t.name, 'minmax(8rem, 1fr)', ({ id, name }) => (
      <RowLink to="/w/$ws/git-sources/$id" params={{ ws, id }}>
        {name}
      </RowLink>
    )),
    column(t.state, '6.5rem', (source) => <SyncState source={source} />),
    wide(
      column(t.repository, 'minmax(10rem, 2fr)', ({ url, path }) => (
        <code title={url}>
          {url}
          {path === '' ? '' : ` · ${path}`}
        </code>
      )),
    ),
    wide(text(t.branch, '7rem', ({ branch }) => branch)),
    wide(
      column(t.auto, '6.5rem', ({ auto_sync_s: every }) =>
        every === null ? t.off : duration(every * SECOND_MS),
      ),
    ),
    atEnd(aged(t.when, ({ last_sync_at: at }) => (at === null ? '–' : <TimeAgo at={at} />))),
  ]
}
