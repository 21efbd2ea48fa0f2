/** The actions of the deployed version, with the workers that run each. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { SECOND_MS } from '../../../language/units.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { EmptyState } from '../../../ui/notice.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { readRetry } from '../action-facts.ts'
import { watchedActionsQuery } from '../queries.ts'
import { messages } from './messages.ts'

type Action = Schemas['Action']

export const ActionList = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery(watchedActionsQuery(api, ws, app))
  const { duration } = useFormat()
  return (
    <Loaded query={query}>
      {(actions) =>
        actions.length === 0 ? (
          <EmptyState title={t.noActions} text={t.noActionsText} />
        ) : (
          <PlainTable<Action>
            rows={actions}
            keyOf={({ key }) => key}
            nameOf={({ key }) => key}
            columns={[
              {
                header: t.action,
                cell: ({ key: action }) => (
                  <Link to="/w/$ws/apps/$app/actions/$action" params={{ ws, app, action }}>
                    {action}
                  </Link>
                ),
              },
              { header: t.tag, cell: (action) => <Tag action={action} /> },
              { header: t.timeout, cell: ({ timeout_s }) => duration(timeout_s * SECOND_MS) },
              {
                header: t.retry,
                isWideOnly: true,
                cell: ({ retry }) => readRetry(retry)?.maxAttempts ?? 1,
              },
              {
                header: t.network,
                isWideOnly: true,
                cell: ({ network }) => (
                  <span title={network?.join(', ')}>
                    {network === null
                      ? t.anyHost
                      : network.length === 0
                        ? t.noHost
                        : t.hosts(network.length)}
                  </span>
                ),
              },
              {
                header: t.entrypoint,
                isWideOnly: true,
                cell: ({ entrypoint }) => <code className="quiet">{entrypoint}</code>,
              },
            ]}
          />
        )
      }
    </Loaded>
  )
}

const Tag = ({ action }: Readonly<{ action: Action }>) => {
  const t = useMessages(messages)
  return (
    <>
      {action.tag}
      {action.tag_override === null ? null : (
        <span className="quiet" title={t.moved}>
          {' ↦'}
        </span>
      )}
    </>
  )
}
