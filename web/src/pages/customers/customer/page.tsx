import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { StateBadge } from '../../../ui/credential-badge.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { ShortTime } from '../../../ui/time.tsx'
import { CustomerActions } from './actions.tsx'
import { Grants } from './grants.tsx'
import { Keys } from './keys.tsx'
import { messages } from './messages.ts'
import { CustomerUsage } from './usage.tsx'

const route = getRouteApi('/w/$ws/customers/$id')

export const CustomerPage = () => {
  const { ws, id } = route.useParams()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'consumers', id],
    queryFn: ({ signal }) => api.get('/consumers/{id}', { params: { id }, signal }),
  })
  return (
    <DetailPage query={query} title={id} trail={<Trail />}>
      {(customer) => <Customer key={id} customer={customer} />}
    </DetailPage>
  )
}

const Trail = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return (
    <Link to="/w/$ws/customers" params={{ ws }}>
      {t.customers}
    </Link>
  )
}

const Customer = ({ customer }: Readonly<{ customer: Schemas['Consumer'] }>) => {
  const t = useMessages(messages)
  const { tab = 'grants' } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay()
  return (
    <Page
      title={customer.name}
      trail={<Trail />}
      about={<StateBadge state={customer.disabled ? 'disabled' : 'active'} />}
      actions={may('consumers:write') ? <CustomerActions customer={customer} /> : null}
    >
      <div className="columns">
        <Tabs
          label={t.parts}
          open={tab}
          onOpen={(next) =>
            void navigate({ search: next === 'grants' ? {} : { tab: next }, replace: true })
          }
          items={[
            // a new key discards the draft, so that it starts from what was saved elsewhere
            {
              name: 'grants',
              label: t.allowedActions,
              content: <Grants key={customer.updated_at} customer={customer} />,
            },
            { name: 'keys', label: t.keys, content: <Keys customer={customer} /> },
            ...(may('*')
              ? [
                  {
                    name: 'usage',
                    label: t.usage,
                    content: <CustomerUsage id={customer.id} />,
                  } as const,
                ]
              : []),
          ]}
        />
        <Card title={t.details}>
          <CustomerFacts customer={customer} />
        </Card>
      </div>
    </Page>
  )
}

const CustomerFacts = ({ customer }: Readonly<{ customer: Schemas['Consumer'] }>) => {
  const t = useMessages(messages)
  return (
    <Facts
      facts={[
        [t.id, <CopyableId key="id" id={customer.id} />],
        [t.externalRef, customer.external_ref],
        [t.created, <ShortTime key="created" at={customer.created_at} />],
        [t.createdBy, customer.created_by],
        [t.changed, <ShortTime key="changed" at={customer.updated_at} />],
      ]}
    />
  )
}
