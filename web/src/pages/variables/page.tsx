import { getRouteApi } from '@tanstack/react-router'
import { useMessages } from '../../language/messages.ts'
import { useMay } from '../../session/session.ts'
import { Page } from '../../ui/page.tsx'
import { type TabItem, Tabs } from '../../ui/tabs.tsx'
import { messages } from './messages.ts'
import { ResourceList } from './resource-list.tsx'
import type { SecretsTab } from './search.ts'
import { VariableList } from './variable-list.tsx'

const route = getRouteApi('/w/$ws/variables')

export const VariablesPage = () => {
  const t = useMessages(messages)
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay()
  const items: readonly TabItem<SecretsTab>[] = [
    ...(may('variables:read')
      ? [{ name: 'variables', label: t.variables, content: <VariableList /> } as const]
      : []),
    ...(may('resources:read')
      ? [{ name: 'resources', label: t.resources, content: <ResourceList /> } as const]
      : []),
  ]
  return (
    <Page title={t.variables} about={t.about}>
      <Tabs
        label={t.parts}
        open={items.find(({ name }) => name === tab)?.name ?? items[0]?.name ?? 'variables'}
        onOpen={(name) => void navigate({ search: { tab: name }, replace: true })}
        items={items}
      />
    </Page>
  )
}
