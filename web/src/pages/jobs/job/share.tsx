/** Read-only links to a job: creates, lists and revokes them. A link is shown once. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../../browser/server-clock.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useChange } from '../../../session/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { credentialState } from '../../../ui/credential-state.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/form/field.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { ShownOnce } from '../../../ui/shown-once.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import styles from './share.module.css'
import { shareMessages } from './share-messages.ts'

const HOUR_S = 3_600
/** At most 7 days [access 13.1]. */
const LIFETIMES_S = [HOUR_S, 24 * HOUR_S, 7 * 24 * HOUR_S] as const
const USUAL_S = 24 * HOUR_S

type ShareJobProps = Readonly<{ id: string; onClose: () => void }>

export const ShareJob = ({ id, onClose }: ShareJobProps) => {
  const t = useMessages(shareMessages)
  const ws = useWorkspace()
  const api = useApi()
  const [lifetime, setLifetime] = useState<number>(USUAL_S)
  const share = useChange({
    change: () =>
      api.post('/jobs/{id}/view-tokens', { params: { id }, body: { expires_in_s: lifetime } }),
    touches: [[ws, 'job', id, 'view-tokens']],
    failed: t.notShared,
  })
  if (share.answer !== undefined) {
    return (
      <ShownOnce title={t.link} secret={share.answer.url} onClose={onClose}>
        <p>{t.linkNote}</p>
      </ShownOnce>
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t.title}
      foot={
        <Button look="primary" disabled={share.isBusy} onClick={() => share.run(undefined)}>
          {t.make}
        </Button>
      }
    >
      <div className="stack">
        <p>{t.about}</p>
        <SelectField
          label={t.lifetime}
          value={String(lifetime)}
          onChange={(value) => setLifetime(Number(value))}
          options={LIFETIMES_S.map((seconds) => ({
            value: String(seconds),
            label: t.hours(seconds / HOUR_S),
          }))}
        />
        <Links id={id} />
      </div>
    </Dialog>
  )
}

/** The links that currently work. */
const Links = ({ id }: Readonly<{ id: string }>) => {
  const t = useMessages(shareMessages)
  const ws = useWorkspace()
  const api = useApi()
  const queryKey = [ws, 'job', id, 'view-tokens']
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/jobs/{id}/view-tokens', { params: { id }, signal }),
  })
  const revokeAll = useChange({
    change: () => api.delete('/jobs/{id}/view-tokens', { params: { id } }),
    touches: [queryKey],
    done: t.allRevoked,
    failed: t.notRevoked,
  })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={refetch} />
  }
  const open = data.items.filter((link) => credentialState(link, serverNow()) === 'active')
  if (open.length === 0) return null
  return (
    <section className="stack-2">
      <h3>{t.links}</h3>
      <ul>
        {open.map((link) => (
          <Link key={link.id} id={id} link={link} />
        ))}
      </ul>
      {open.length > 1 ? (
        <div>
          <Button disabled={revokeAll.isBusy} onClick={() => revokeAll.run(undefined)}>
            {t.revokeAll}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

type LinkProps = Readonly<{ id: string; link: Schemas['ViewToken'] }>

const Link = ({ id, link }: LinkProps) => {
  const t = useMessages(shareMessages)
  const ws = useWorkspace()
  const api = useApi()
  const revoke = useChange({
    change: () => api.delete('/jobs/{id}/view-tokens/{tid}', { params: { id, tid: link.id } }),
    touches: [[ws, 'job', id, 'view-tokens']],
    failed: t.notRevoked,
  })
  return (
    <li className={styles.link}>
      <span>
        <code>svcv_{link.token_prefix}</code> {link.created_by}
        <small>
          {t.expires} <TimeAgo at={link.expires_at} />
        </small>
      </span>
      <Button
        aria-label={t.revokeOf(link.token_prefix)}
        disabled={revoke.isBusy}
        onClick={() => revoke.run(undefined)}
      >
        {t.revoke}
      </Button>
    </li>
  )
}
