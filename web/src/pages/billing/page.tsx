import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { Card, Facts } from '../../ui/facts.tsx'
import { ErrorState, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CreditList } from './credit-list.tsx'
import { JobRecords } from './job-records.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/billing')

const EVERY_MS = 5_000

export const BillingPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { tab = 'credit' } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'billing', 'balance'],
    queryFn: ({ signal }) => api.get('/billing', { query: { limit: 1 }, signal }),
    refetchInterval: EVERY_MS,
  })
  return (
    <Page title={t.title} isFilled>
      {data !== undefined ? (
        <Account billing={data} />
      ) : error === null ? (
        <Loading />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      <Tabs
        isFilled
        label={t.parts}
        open={tab}
        onOpen={(next) =>
          void navigate({ search: next === 'jobs' ? { tab: next } : {}, replace: true })
        }
        items={[
          { name: 'credit', label: t.credit, content: <CreditList /> },
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
        {suspended ? <p className={styles.warn}>{t.suspended}</p> : null}
        {may('instance') ? (
          <Link to="/w/$ws/instance" params={{ ws }} search={{ open: ws }}>
            {t.addCredit}
          </Link>
        ) : (
          <p className={styles.hint}>{t.askCredit}</p>
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
        <p className={styles.hint}>{t.onlySuccess}</p>
      </Card>
    </div>
  )
}
