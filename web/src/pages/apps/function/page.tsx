import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { SECOND_MS } from '../../../language/units.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { type TabItem, Tabs } from '../../../ui/tabs.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { AppTrail } from '../app-trail.tsx'
import { functionsQuery } from '../queries.ts'
import { CallLog } from './call-log.tsx'
import { FunctionCode } from './function-code.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import type { FunctionTab } from './search.ts'
import { TryIt } from './try-it.tsx'

const route = getRouteApi('/w/$ws/apps/$app/functions/$name')

export const FunctionPage = () => {
  const t = useMessages(messages)
  const { ws, app, name } = route.useParams()
  const api = useApi()
  const query = useQuery(functionsQuery(api, ws, app))
  const found = query.data?.find((each) => each.name === name)
  return (
    <Page
      title={name}
      trail={<AppTrail ws={ws} app={app} tab="functions" />}
      about={found?.description}
    >
      {found !== undefined ? (
        <FunctionParts key={`${app}/${name}`} found={found} />
      ) : (
        <Loaded query={query}>{() => <EmptyState title={t.missing} text={t.missingText} />}</Loaded>
      )}
    </Page>
  )
}

const FunctionParts = ({ found }: Readonly<{ found: Schemas['Function'] }>) => {
  const t = useMessages(messages)
  const { app } = route.useParams()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay()
  const items: readonly TabItem<FunctionTab>[] = [
    { name: 'try', label: t.try, content: <TryIt app={app} found={found} /> },
    ...(may('jobs:read')
      ? [{ name: 'calls', label: t.calls, content: <CallLog app={app} found={found} /> } as const]
      : []),
    { name: 'code', label: t.code, content: <FunctionCode app={app} found={found} /> },
  ]
  return (
    <div className="columns">
      <Tabs
        label={t.parts}
        open={items.find(({ name }) => name === tab)?.name ?? 'try'}
        onOpen={(name) => void navigate({ search: { tab: name }, replace: true })}
        items={items}
      />
      <aside>
        <Card title={t.details}>
          <FunctionFacts found={found} />
        </Card>
      </aside>
    </div>
  )
}

const SHORT_HASH = 12

const FunctionFacts = ({ found }: Readonly<{ found: Schemas['Function'] }>) => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  return (
    <>
      <Facts
        facts={[
          [
            t.address,
            <span key="address" className={styles.address}>
              <code>{found.url}</code>
              <CopyButton text={found.url} />
            </span>,
          ],
          [t.methods, found.methods.join(', ')],
          [t.timeout, duration(found.timeout_s * SECOND_MS)],
          [t.tags, found.tags.length === 0 ? null : found.tags.join(', ')],
          [
            t.hash,
            <code key="hash" title={found.hash}>
              {found.hash.slice(0, SHORT_HASH)}
            </code>,
          ],
          [t.deployed, <TimeAgo key="deployed" at={found.deployed_at} />],
          [t.by, found.deployed_by],
        ]}
      />
      <p className="quiet">{t.open}</p>
    </>
  )
}
