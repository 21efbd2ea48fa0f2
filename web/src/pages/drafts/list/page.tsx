import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { age, atEnd, column, text, wide } from '../../../kit/columns.tsx'
import { usePaletteCommand } from '../../../kit/palette-commands.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { LiveTable } from '../../../live/live-table.tsx'
import { useShortList } from '../../../live/use-short-list.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { messages } from './messages.ts'
import { NewDraft } from './new-draft.tsx'

const route = getRouteApi('/w/$ws/drafts')

const PAGE_ROWS = 200

const keyOf = ({ app }: Schemas['Draft']): string => app

export const DraftsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { form, app } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()('drafts:write')
  const columns = useColumns(ws)
  const list = useShortList<Schemas['Draft']>({
    queryKey: [ws, 'drafts'],
    read: (cursor, signal) => api.get('/drafts', { query: { cursor, limit: PAGE_ROWS }, signal }),
  })
  const open = (): void => void navigate({ search: { form: 'new' } })
  usePaletteCommand(may ? t.newDraft : null, open)
  const button = (look: 'normal' | 'primary') => (
    <Button look={look} onClick={open}>
      <Plus size={15} aria-hidden="true" />
      {t.newDraft}
    </Button>
  )
  return (
    <Page
      title={t.drafts}
      isFilled
      actions={may ? button(list.rows.length === 0 ? 'normal' : 'primary') : undefined}
    >
      <LiveTable
        label={t.drafts}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState title={t.none} text={t.noneText}>
            {may ? button('primary') : null}
          </EmptyState>
        }
      />
      {may && form === 'new' ? (
        <NewDraft
          drafts={list.rows.map(keyOf)}
          first={app ?? ''}
          onClose={() => void navigate({ search: {} })}
        />
      ) : null}
    </Page>
  )
}

const useColumns = (ws: string): readonly Column<Schemas['Draft']>[] => {
  const t = useMessages(messages)
  const { number, bytes } = useFormatWithBytes()
  return [
    column(t.app, 'minmax(8rem, 2fr)', ({ app }) => (
      <RowLink to="/w/$ws/drafts/$app" params={{ ws, app }}>
        {app}
      </RowLink>
    )),
    wide(atEnd(column(t.files, '5rem', ({ file_count }) => number(file_count)))),
    wide(atEnd(column(t.size, '6rem', (draft) => bytes(draft.bytes)))),
    text(t.by, 'minmax(8rem, 1fr)', ({ updated_by }) => updated_by),
    age(t.at, ({ updated_at }) => updated_at),
  ]
}

const KIB = 1_024

const useFormatWithBytes = () => {
  const { number } = useFormat()
  const bytes = (size: number): string =>
    size < KIB ? `${number(size)} B` : `${number(Math.round(size / KIB))} KiB`
  return { number, bytes }
}
