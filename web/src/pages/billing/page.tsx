import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { Loaded } from '../../kit/detail-page.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { balanceQuery } from '../../live/queries.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { Card, Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CreditList } from './credit-list.tsx'
import { JobRecords } from './job-records.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { UsageList } from './usage-list.tsx'

const route = getRouteApi('/w/$ws/billing')

const EVERY_MS = 5_000

export const BillingPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { tab = 'credit' } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const query = useQuery({
    ...balanceQuery(api, ws),
    refetchInterval: lessOften(EVERY_MS),
  })
  return (
    <Page title={t.billing} isFilled>
      <Loaded query={query}>{(data) => <Account billing={data} />}</Loaded>
      <Tabs
        isFilled
        label={t.parts}
        open={tab}
        onOpen={(next) =>
          void navigate({ search: next === 'credit' ? {} : { tab: next }, replace: true })
        }
        items={[
          { name: 'credit', label: t.credit, content: <CreditList /> },
          { name: 'usage', label: t.usage, content: <UsageList /> },
          { name: 'jobs', label: t.jobs, content: <JobRecords /> },
        ]}
      />
    </Page>
  )
}

const Account = ({ billing }: Readonly<{ billing: Schemas['Billing'] }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { number } = useFormat()
  const may = useMay()
  const { balance_won, suspended, prices } = billing
  return (
    <div className={styles.cards}>
      <Card title={t.balance}>
        <strong className={styles.balance}>₩{number(balance_won)}</strong>
        {suspended ? <p className="warning">{t.suspended}</p> : null}
        {may('instance') ? (
          <Link to="/w/$ws/instance" params={{ ws }} search={{ open: ws }}>
            {t.addCredit}
          </Link>
        ) : (
          <p className="quiet">{t.askCredit}</p>
        )}
      </Card>
      <Card title={t.prices}>
        {prices.prepaid ? (
          <Facts
            facts={[
              [t.registry, `₩${number(prices.registry_won)}`],
              [t.accuracy, `₩${number(prices.accuracy_won)}`],
            ]}
          />
        ) : (
          <p>{t.free}</p>
        )}
        <p className="quiet">{t.onlySuccess}</p>
      </Card>
    </div>
  )
}
