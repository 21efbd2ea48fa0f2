import type { Schemas } from '#sdk/client.ts'
import { age, column, text, wide } from '../../../kit/columns.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { StateBadge } from '../../../ui/credential-badge.tsx'
import { RowLink } from '../../../ui/table/data-table.tsx'
import { FewNames } from '../../../ui/table/few-names.tsx'
import { AddCustomer } from './add-customer.tsx'
import { messages } from './messages.ts'

export const CustomersPage = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourcePage<Schemas['Consumer']>
      title={t.customers}
      about={t.about}
      actions={
        <FormButton need="consumers:write" label={t.add}>
          {(close) => <AddCustomer onClose={close} />}
        </FormButton>
      }
      queryKey={[ws, 'consumers', 'list']}
      read={(page) => api.get('/consumers', page)}
      keyOf={({ id }) => id}
      columns={[
        column(t.state, '6.5rem', ({ disabled }) => (
          <StateBadge state={disabled ? 'disabled' : 'active'} />
        )),
        column(t.name, 'minmax(8rem, 2fr)', ({ id, name }) => (
          <RowLink to="/w/$ws/customers/$id" params={{ ws, id }}>
            {name}
          </RowLink>
        )),
        wide(text(t.externalRef, 'minmax(6rem, 1fr)', ({ external_ref }) => external_ref)),
        column(t.allowedActions, 'minmax(8rem, 2fr)', ({ grants }) =>
          grants.length === 0 ? (
            t.nothing
          ) : (
            <FewNames names={grants.map(({ app, action }) => `${app}/${action}`)} />
          ),
        ),
        wide(age(t.created, ({ created_at }) => created_at)),
      ]}
      empty={{
        title: t.none,
        text: t.noneText,
        command: `curl ${location.origin}/api/w/${ws}/jobs/run/hello/greet -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '{"name":"Ada"}'`,
      }}
    />
  )
}
