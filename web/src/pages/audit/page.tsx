import { getRouteApi } from '@tanstack/react-router'
import { AuditList } from '../../audit/audit-list.tsx'
import { messages } from '../../audit/messages.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { Page } from '../../ui/page.tsx'

const route = getRouteApi('/w/$ws/audit')

export const AuditPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  return (
    <Page title={t.auditLog} about={t.about} isFilled>
      <AuditList
        queryKey={[ws, 'audit']}
        read={(query, signal) => api.get('/audit', { query, signal })}
        filters={filters}
        ws={ws}
        onFilter={(next) => void navigate({ search: next, replace: true })}
      />
    </Page>
  )
}
