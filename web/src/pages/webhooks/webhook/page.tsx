import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { CommandLine } from '../../../ui/command-line.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/w/$ws/webhooks/$app/$key')

const EVERY_MS = 10_000

export const WebhookPage = () => {
  const t = useMessages(messages)
  const { ws, app, key } = route.useParams()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'webhook', app, key],
    queryFn: ({ signal }) => api.get('/webhooks/{app}/{key}', { params: { app, key }, signal }),
    refetchInterval: EVERY_MS,
  })
  const trail = (
    <Link to="/w/$ws/webhooks" params={{ ws }}>
      {t.webhooks}
    </Link>
  )
  return (
    <DetailPage query={query} title={`${app}/${key}`} trail={trail}>
      {(webhook) => (
        <Page title={`${app}/${key}`} trail={trail}>
          <div className="columns columns-wide">
            <div className="stack">
              <Card title={t.address}>
                <p>{t.addressText}</p>
                <CommandLine command={webhook.url} />
              </Card>
              <Deliveries app={app} webhook={key} kind={webhook.target_kind} />
            </div>
            <aside className="stack">
              <Verification webhook={webhook} />
              <Card title={t.definition}>
                <JsonView value={webhook.definition} />
              </Card>
            </aside>
          </div>
        </Page>
      )}
    </DetailPage>
  )
}

type WebhookProps = Readonly<{ webhook: Schemas['WebhookDetail'] }>

const Verification = ({ webhook }: WebhookProps) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { scheme, secrets, secret_set, target, deployed_by } = webhook
  return (
    <Card title={t.verification}>
      <Facts
        facts={[
          [t.scheme, <code key="scheme">{scheme}</code>],
          ...secrets.map(
            ({ key, is_set }) =>
              [
                key,
                <span key={key} className={is_set ? '' : 'bad'}>
                  {is_set ? t.isSet : t.isNotSet}
                </span>,
              ] as const,
          ),
          [t.target, target],
          [t.deployedBy, deployed_by],
        ]}
      />
      {scheme === 'none' ? <p className="bad">{t.open}</p> : null}
      {secret_set === false ? (
        <>
          <p>{t.setSecret}</p>
          <CommandLine command={`printf '…' | svc variables set ${secrets[0]?.key ?? ''}`} />
          <ButtonLink to="/w/$ws/variables" params={{ ws }}>
            {t.toVariables}
          </ButtonLink>
        </>
      ) : null}
    </Card>
  )
}
