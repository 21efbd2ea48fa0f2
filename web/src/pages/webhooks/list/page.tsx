import type { Schemas } from '#sdk/client.ts'
import { age, code, column, wide } from '../../../kit/columns.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { RowLink } from '../../../ui/table/data-table.tsx'
import { TargetName } from '../../../ui/table/target-name.tsx'
import { messages } from './messages.ts'

export const WebhooksPage = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourcePage<Schemas['Webhook']>
      title={t.webhooks}
      about={t.about}
      queryKey={[ws, 'webhooks']}
      read={(page) => api.get('/webhooks', page)}
      keyOf={({ app, key }) => `${app}/${key}`}
      isByName
      columns={[
        column(t.name, 'minmax(7rem, 1fr)', ({ app, key }) => (
          <RowLink
            to="/w/$ws/webhooks/$app/$key"
            params={{ ws, app, key }}
            aria-label={`${app}/${key}`}
          >
            <TargetName app={app} name={key} />
          </RowLink>
        )),
        wide(code(t.target, 'minmax(8rem, 1fr)', ({ target }) => target)),
        column(t.scheme, 'minmax(9rem, 1fr)', ({ scheme, secret_set }) => (
          <>
            <code>{scheme}</code>{' '}
            {secret_set === false ? <span className="bad">{t.noSecret}</span> : null}
          </>
        )),
        column(t.answer, '6.5rem', ({ last_status }) => <Answer status={last_status} />),
        wide(age(t.received, ({ last_received_at }) => last_received_at)),
      ]}
      empty={{
        title: t.none,
        text: t.noneText,
        command: 'svc init my-hooks --template webhook && cd my-hooks && svc deploy',
      }}
    />
  )
}

const FIRST_ERROR = 400

const Answer = ({ status }: Readonly<{ status: number | null }>) =>
  status === null ? '–' : <span className={status < FIRST_ERROR ? '' : 'bad'}>{status}</span>
