/** The functions of an app with their addresses. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { functionsQuery } from '../queries.ts'
import { messages } from './messages.ts'

export const FunctionList = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery(functionsQuery(api, ws, app))
  return (
    <Loaded query={query}>
      {(functions) =>
        functions.length === 0 ? (
          <EmptyState
            title={t.noFunctions}
            text={t.noFunctionsText}
            command={`mkdir -p ${app} && cd ${app} && echo '{"application":{"id":"${app}"}}' > .svcrc && svc templates hello && svc deploy`}
          />
        ) : (
          <PlainTable<Schemas['Function']>
            rows={functions}
            keyOf={({ name }) => name}
            nameOf={({ name }) => name}
            columns={[
              {
                header: t.function,
                cell: ({ name }) => (
                  <Link to="/w/$ws/apps/$app/functions/$name" params={{ ws, app, name }}>
                    {name}
                  </Link>
                ),
              },
              { header: t.methods, cell: ({ methods }) => methods.join(', ') },
              {
                header: t.address,
                isWideOnly: true,
                cell: ({ url }) => (
                  <>
                    <code>{new URL(url).pathname}</code> <CopyButton text={url} />
                  </>
                ),
              },
              {
                header: t.description,
                isWideOnly: true,
                cell: ({ description }) => <span className="quiet">{description}</span>,
              },
              { header: t.at, isEnd: true, cell: (found) => <TimeAgo at={found.deployed_at} /> },
            ]}
          />
        )
      }
    </Loaded>
  )
}
