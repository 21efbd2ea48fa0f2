/** The functions of an app with their addresses. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState, ErrorState, Loading } from '../../../ui/notice.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { functionsQuery } from '../queries.ts'
import styles from '../table.module.css'
import { messages } from './messages.ts'

export const FunctionList = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data, error, refetch } = useQuery(functionsQuery(api, ws, app))
  if (data === undefined) {
    return error === null ? (
      <Loading />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState
        title={t.noFunctions}
        text={t.noFunctionsText}
        command="svc templates hello && svc deploy"
      />
    )
  }
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.function}</th>
          <th scope="col">{t.methods}</th>
          <th scope="col" className={styles.wide}>
            {t.address}
          </th>
          <th scope="col" className={styles.wide}>
            {t.description}
          </th>
          <th scope="col" className={styles.end}>
            {t.at}
          </th>
        </tr>
      </thead>
      <tbody>
        {data.map(({ name, methods, url, description, deployed_at }) => (
          <tr key={name}>
            <td>
              <Link to="/w/$ws/apps/$app/functions/$name" params={{ ws, app, name }}>
                {name}
              </Link>
            </td>
            <td>{methods.join(', ')}</td>
            <td className={styles.wide}>
              <code>{new URL(url).pathname}</code> <CopyButton text={url} />
            </td>
            <td className={`${styles.wide} ${styles.quiet}`}>{description}</td>
            <td className={styles.end}>
              <TimeAgo at={deployed_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
