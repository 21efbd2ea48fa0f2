/** Resources: their keys and types. Their values are never shown. */
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { messages } from './messages.ts'
import { ResourceForm } from './resource-form.tsx'
import { SecretList } from './secret-list.tsx'

export const ResourceList = () => {
  const t = useMessages(messages)
  const api = useApi()
  return (
    <SecretList
      what="resource"
      read={(signal) => api.get('/resources', { signal })}
      add={t.newResource}
      none={{
        title: t.noResources,
        text: t.noResourcesText,
        command: 'const { host, password } = ctx.resources.orders_db',
      }}
      columns={[{ header: t.type, cell: ({ type }) => type }]}
      form={(props) => <ResourceForm {...props} />}
    />
  )
}
