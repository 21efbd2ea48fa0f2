/** Resources: their keys and types. Their values are never shown. */
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { usePaletteCommand } from '../../app/palette-commands.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import styles from './list.module.css'
import { messages } from './messages.ts'
import { RemoveSecret } from './remove-secret.tsx'
import { ResourceForm } from './resource-form.tsx'

const EVERY_MS = 10_000

type Resource = Schemas['Resource']
type Asked = Readonly<{ deed: 'set' | 'remove'; resource: Resource | null }>

export const ResourceList = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()('resources:write')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'resources'],
    queryFn: ({ signal }) => api.get('/resources', { signal }),
    refetchInterval: EVERY_MS,
  })
  const open = (): void => setAsked({ deed: 'set', resource: null })
  usePaletteCommand(may ? t.newResource : null, open)
  if (data === undefined) {
    return error === null ? (
      <Loading />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  }
  const close = (): void => setAsked(null)
  const button = (
    <Button onClick={open}>
      <Plus size={15} aria-hidden="true" />
      {t.newResource}
    </Button>
  )
  return (
    <div className={styles.parts}>
      {data.items.length === 0 ? (
        <EmptyState
          title={t.noResources}
          text={t.noResourcesText}
          command="const { host, password } = ctx.resources.orders_db"
        >
          {may ? button : null}
        </EmptyState>
      ) : (
        <>
          {may ? <div className={styles.head}>{button}</div> : null}
          <ResourceTable resources={data.items} onAsk={may ? setAsked : null} />
        </>
      )}
      {asked?.deed === 'set' ? (
        <ResourceForm
          known={asked.resource}
          taken={data.items.map(({ key }) => key)}
          onClose={close}
        />
      ) : null}
      <RemoveSecret
        what="resource"
        name={asked?.deed === 'remove' ? (asked.resource?.key ?? null) : null}
        onClose={close}
      />
    </div>
  )
}

type TableProps = Readonly<{
  resources: readonly Resource[]
  /** Null: the reader may only look. */
  onAsk: ((asked: Asked) => void) | null
}>

const ResourceTable = ({ resources, onAsk }: TableProps) => {
  const t = useMessages(messages)
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.key}</th>
          <th scope="col">{t.type}</th>
          <th scope="col" className={styles.wide}>
            {t.by}
          </th>
          <th scope="col">{t.at}</th>
          {onAsk === null ? null : <td className={styles.deeds} />}
        </tr>
      </thead>
      <tbody>
        {resources.map((resource) => (
          <tr key={resource.key}>
            <td className={styles.key}>
              <code>{resource.key}</code>
            </td>
            <td>{resource.type}</td>
            <td className={`${styles.wide} ${styles.quiet}`}>{resource.updated_by}</td>
            <td className={styles.quiet}>
              <TimeAgo at={resource.updated_at} />
            </td>
            {onAsk === null ? null : (
              <td className={styles.deeds}>
                <IconButton
                  label={`${t.replace}: ${resource.key}`}
                  icon={<Pencil size={15} />}
                  onClick={() => onAsk({ deed: 'set', resource })}
                />
                <IconButton
                  label={`${t.remove}: ${resource.key}`}
                  icon={<Trash2 size={15} />}
                  onClick={() => onAsk({ deed: 'remove', resource })}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
