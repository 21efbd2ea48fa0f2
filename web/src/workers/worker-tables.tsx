/** Workers and queues: of a workspace, or of the instance. */
import { TriangleAlert } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../language/format.ts'
import { useMessages } from '../language/messages.ts'
import { SECOND_MS } from '../language/units.ts'
import { Card } from '../ui/facts.tsx'
import { EmptyState } from '../ui/notice.tsx'
import { TimeAgo } from '../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './worker-tables.module.css'

type Found = Schemas['Workers']

export const WorkerTables = ({ found }: Readonly<{ found: Found }>) => {
  const t = useMessages(messages)
  const versions = new Set(found.workers.map(({ version }) => version))
  return (
    <>
      <Card title={t.liveWorkers}>
        {found.workers.length === 0 ? (
          <EmptyState title={t.none} text={t.noneText} command="svc worker --tags default" />
        ) : (
          <WorkerTable workers={found.workers} />
        )}
        {versions.size > 1 ? <p className="quiet">{t.versions(versions.size)}</p> : null}
      </Card>
      <Card title={t.tags}>
        <TagTable tags={found.tags} />
      </Card>
    </>
  )
}

const WorkerTable = ({ workers }: Pick<Found, 'workers'>) => {
  const t = useMessages(messages)
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.load}</th>
          <th scope="col">{t.taking}</th>
          <th scope="col" className={styles.wide}>
            {t.group}
          </th>
          <th scope="col" className={styles.wide}>
            {t.version}
          </th>
          <th scope="col" className={styles.end}>
            {t.ping}
          </th>
        </tr>
      </thead>
      <tbody>
        {workers.map(({ name, group, tags, running, concurrency, version, last_ping_at }, at) => (
          // operators choose the names, so two may be equal
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no state
          <tr key={`${name} ${at}`}>
            <th scope="row">{name}</th>
            <td>
              <Load running={running} concurrency={concurrency} />
            </td>
            <td>{tags.join(', ')}</td>
            <td className={styles.wide}>{group}</td>
            <td className={styles.wide}>{version}</td>
            <td className={styles.end}>
              <TimeAgo at={last_ping_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Load = ({ running, concurrency }: Readonly<{ running: number; concurrency: number }>) => {
  const t = useMessages(messages)
  return (
    <span className={styles.load} title={t.loadOf(running, concurrency)}>
      <meter min={0} max={concurrency} value={running} aria-label={t.load} />
      {running}/{concurrency}
    </span>
  )
}

/** The waiting jobs by tag, and how many workers can take them. */
export const TagTable = ({ tags }: Pick<Found, 'tags'>) => {
  const t = useMessages(messages)
  const { number, duration } = useFormat()
  if (tags.length === 0) return <p className="quiet">{t.noTags}</p>
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.tag}</th>
          <th scope="col" className={styles.end}>
            {t.workers}
          </th>
          <th scope="col" className={styles.end}>
            {t.ready}
          </th>
          <th scope="col" className={styles.end}>
            {t.oldest}
          </th>
        </tr>
      </thead>
      <tbody>
        {tags.map(({ tag, live_workers, queued, oldest_queued_age_s }) => (
          <tr key={tag}>
            <th scope="row">{tag}</th>
            <td className={styles.end}>
              {live_workers === 0 ? (
                <span className="warn" title={t.noWorker}>
                  <TriangleAlert size={13} aria-label={t.noWorker} /> 0
                </span>
              ) : (
                number(live_workers)
              )}
            </td>
            <td className={styles.end}>{number(queued)}</td>
            <td className={styles.end}>
              {oldest_queued_age_s === null ? '–' : duration(oldest_queued_age_s * SECOND_MS)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
