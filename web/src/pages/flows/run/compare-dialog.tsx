/** Selects the run to compare this one with, among the latest runs of its flow. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { CreatorName } from '../../../kit/creator-name.tsx'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { Duration, ShortTime } from '../../../ui/time.tsx'
import { messages } from './messages.ts'

const MOST = 20

type CompareDialogProps = Readonly<{ run: Schemas['FlowRun']; onClose: () => void }>

export const CompareDialog = ({ run, onClose }: CompareDialogProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { id, app, flow } = run
  const query = useQuery({
    queryKey: [ws, 'flow-runs', 'to-compare', app, flow],
    queryFn: ({ signal }) => api.get('/flow-runs', { query: { app, flow, limit: MOST }, signal }),
  })
  return (
    <Dialog isOpen onClose={onClose} title={t.compareTitle} isWide>
      <Loaded query={query}>
        {({ items }) => {
          const others = items.filter((each) => each.id !== id)
          if (others.length === 0) return <p className="quiet">{t.noOthers}</p>
          return (
            <PlainTable<Schemas['FlowRun']>
              rows={others}
              keyOf={(each) => each.id}
              columns={[
                {
                  header: t.created,
                  cell: ({ id: other, created_at }) => (
                    <Link
                      to="/w/$ws/flow-runs/$id/compare/$other"
                      params={{ ws, id: other, other: id }}
                    >
                      <ShortTime at={created_at} />
                    </Link>
                  ),
                },
                { header: t.status, cell: ({ status }) => <StatusBadge status={status} /> },
                { header: t.startedBy, isWideOnly: true, cell: (run) => <CreatorName of={run} /> },
                {
                  header: t.took,
                  isEnd: true,
                  cell: ({ created_at, completed_at }) =>
                    completed_at === null ? (
                      '–'
                    ) : (
                      <Duration
                        ms={Math.max(0, Date.parse(completed_at) - Date.parse(created_at))}
                      />
                    ),
                },
              ]}
            />
          )
        }}
      </Loaded>
    </Dialog>
  )
}
