/** Public links of a flow: who may start it without an account, how many more times, and until when. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import type { FlowDefinition } from '../../../flow/definition.ts'
import { ConfirmAction } from '../../../kit/action.tsx'
import { Loaded } from '../../../kit/detail-page.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { lessOften } from '../../../live/read-interval.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import styles from './links.module.css'
import { messages } from './messages.ts'
import { NewLinkDialog } from './new-link-dialog.tsx'

const EVERY_MS = 5_000
const PAGE_ROWS = 500

type FlowLink = Schemas['FlowLink']

const first = (): string | undefined => undefined

/** The API lists the links of all flows. Few workspaces have more than one page of them. */
const useLinks = ({ app, key }: Schemas['Flow']) => {
  const ws = useWorkspace()
  const api = useApi()
  const query = useInfiniteQuery({
    queryKey: [ws, 'flow-links'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/flow-links', { query: { cursor: pageParam, limit: PAGE_ROWS }, signal }),
    initialPageParam: first(),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval: lessOften(EVERY_MS),
  })
  const data = query.data?.pages
    .flatMap(({ items }) => items)
    .filter((link) => link.app === app && link.flow === key)
  return { ...query, data }
}

export type LinksProps = Readonly<{ flow: Schemas['Flow']; definition: FlowDefinition }>

export const Links = ({ flow, definition }: LinksProps) => {
  const t = useMessages(messages)
  const may = useMay()
  const query = useLinks(flow)
  const make =
    may('*') && !flow.has_approval ? (
      <FormButton label={t.newLink} icon={Link2} look="normal">
        {(close) => <NewLinkDialog flow={flow} definition={definition} onClose={close} />}
      </FormButton>
    ) : null
  return (
    <Loaded query={query}>
      {(links) => (
        <div className={styles.links}>
          {/* always here: the dialog that shows a new link must outlive the first refresh of an empty list */}
          {make === null ? null : <div>{make}</div>}
          {links.length === 0 ? (
            <EmptyState
              title={t.noLinks}
              text={flow.has_approval ? t.hasApproval : t.noLinksText}
            />
          ) : (
            <LinkTable links={links} mayRevoke={may('*')} />
          )}
          {query.hasNextPage ? <Button onClick={() => void query.fetchNextPage()}>…</Button> : null}
        </div>
      )}
    </Loaded>
  )
}

const stateOf = ({ active, revoked_at, uses, max_uses }: FlowLink) => {
  if (active) return 'active'
  if (revoked_at !== null) return 'revoked'
  return uses >= max_uses ? 'usedUp' : 'ended'
}

const LinkTable = ({
  links,
  mayRevoke,
}: Readonly<{ links: readonly FlowLink[]; mayRevoke: boolean }>) => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const ws = useWorkspace()
  const api = useApi()
  const [revoked, setRevoked] = useState<FlowLink | null>(null)
  return (
    <>
      <ul className={styles.table} aria-label={t.links}>
        {links.map((link) => (
          <li key={link.id} data-active={link.active ? '' : undefined}>
            <span className={styles.name}>
              <code>{link.token_prefix}…</code>
              <strong>{t[stateOf(link)]}</strong>
            </span>
            <span>
              {t.uses}: {t.usedOf(number(link.uses), number(link.max_uses))}
            </span>
            <span>
              {link.revoked_at === null ? `${t.expires}: ` : null}
              <TimeAgo at={link.revoked_at ?? link.expires_at} />
            </span>
            <span className={styles.by}>
              {link.created_by}
              {link.public_form.length === 0
                ? ''
                : ` · ${link.public_form.map(({ label }) => label).join(', ')}`}
            </span>
            {link.active && mayRevoke ? (
              <Button onClick={() => setRevoked(link)}>{t.revoke}</Button>
            ) : null}
          </li>
        ))}
      </ul>
      {revoked === null ? null : (
        <ConfirmAction
          onClose={() => setRevoked(null)}
          action={{
            label: t.revoke,
            confirm: { title: t.revokeTitle, text: t.revokeText },
            run: () => api.delete('/flow-links/{link_id}', { params: { link_id: revoked.id } }),
            touches: [[ws, 'flow-links']],
            done: t.revokedNews,
            failed: t.notRevoked,
          }}
        />
      )}
    </>
  )
}
