/** The usage of each customer, from the records of ended jobs. */
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../browser/server-clock.ts'
import { atEnd, column, wide } from '../../kit/columns.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { sinceOf } from '../../kit/search.ts'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { type Column, RowLink } from '../../ui/table/data-table.tsx'
import { Filters, SelectFilter } from '../../ui/table/filters.tsx'
import { messages } from './messages.ts'
import { USAGE_SPANS } from './search.ts'

const route = getRouteApi('/w/$ws/billing')

type Usage = Schemas['CustomerUsage']

export const UsageList = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { span = '30d' } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  return (
    <>
      <Filters onClear={null}>
        <SelectFilter
          label={t.span}
          value={span}
          onChange={(next) =>
            void navigate({ search: { tab: 'usage', span: next }, replace: true })
          }
          options={USAGE_SPANS.map((value) => ({ value, label: t[value] }))}
        />
      </Filters>
      <ResourceList<Usage>
        isByName
        title={t.usage}
        queryKey={[ws, 'usage', span]}
        read={({ query, signal }) =>
          api.get('/usage', { query: { since: sinceOf(span, serverNow()), ...query }, signal })
        }
        keyOf={({ customer_id }) => customer_id}
        columns={useColumns()}
        empty={{
          title: t.noUsage,
          text: t.noUsageText,
          children: (
            <Link to="/w/$ws/customers" params={{ ws }}>
              {t.customers}
            </Link>
          ),
        }}
      />
    </>
  )
}

const useColumns = (): readonly Column<Usage>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { number, duration } = useFormat()
  return [
    column(t.customer, 'minmax(8rem, 2fr)', ({ customer_id: id, name }) =>
      name === null ? (
        <span title={id}>{t.deletedCustomer(id)}</span>
      ) : (
        <RowLink to="/w/$ws/customers/$id" params={{ ws, id }} search={{ tab: 'usage' }}>
          {name}
        </RowLink>
      ),
    ),
    wide(column(t.externalRef, 'minmax(6rem, 1fr)', ({ external_ref }) => external_ref ?? '–')),
    atEnd(column(t.runs, '6rem', ({ runs }) => number(runs))),
    wide(atEnd(column(t.failures, '6rem', ({ failures }) => number(failures)))),
    atEnd(column(t.runTime, '7rem', ({ duration_ms }) => duration(duration_ms))),
  ]
}
