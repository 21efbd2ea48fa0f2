/** The actions of the deployed version, and where each runs. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { EmptyState, ErrorState, Loading } from '../../../ui/notice.tsx'
import { readRetry } from '../action-facts.ts'
import { actionsQuery } from '../queries.ts'
import styles from '../table.module.css'
import { messages } from './messages.ts'

const MS_PER_S = 1_000

export const ActionList = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data, error, refetch } = useQuery(actionsQuery(api, ws, app))
  if (data === undefined) {
    return error === null ? (
      <Loading />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  }
  if (data.length === 0) return <EmptyState title={t.noActions} text={t.noActionsText} />
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.action}</th>
          <th scope="col">{t.tag}</th>
          <th scope="col">{t.timeout}</th>
          <th scope="col" className={styles.wide}>
            {t.retry}
          </th>
          <th scope="col" className={styles.wide}>
            {t.network}
          </th>
          <th scope="col" className={styles.wide}>
            {t.entrypoint}
          </th>
        </tr>
      </thead>
      <tbody>
        {data.map((action) => (
          <ActionRow key={action.key} app={app} action={action} />
        ))}
      </tbody>
    </table>
  )
}

const ActionRow = ({ app, action }: Readonly<{ app: string; action: Schemas['Action'] }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const { duration } = useFormat()
  const { network } = action
  return (
    <tr>
      <td>
        <Link to="/w/$ws/apps/$app/actions/$action" params={{ ws, app, action: action.key }}>
          {action.key}
        </Link>
      </td>
      <td>
        {action.tag}
        {action.tag_override === null ? null : (
          <span className={styles.quiet} title={t.moved}>
            {' ↦'}
          </span>
        )}
      </td>
      <td>{duration(action.timeout_s * MS_PER_S)}</td>
      <td className={styles.wide}>{readRetry(action.retry)?.maxAttempts ?? 1}</td>
      <td className={styles.wide} title={network?.join(', ')}>
        {network === null ? t.anyHost : network.length === 0 ? t.noHost : t.hosts(network.length)}
      </td>
      <td className={`${styles.wide} ${styles.quiet}`}>
        <code>{action.entrypoint}</code>
      </td>
    </tr>
  )
}
