/** Where a person is signed in, with buttons that end each session. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { ActionButtons } from '../../kit/action.tsx'
import { Loaded } from '../../kit/detail-page.tsx'
import { useMessages } from '../../language/messages.ts'
import { apiOf } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'

const SESSIONS = ['own-sessions'] as const

type Session = Schemas['OwnSession']

export const SessionList = () => {
  const t = useMessages(messages)
  const api = apiOf('')
  const query = useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => api.get('/api/auth/sessions', { signal }),
  })
  return (
    <div className="stack">
      <p className="quiet">{t.sessionsText}</p>
      <Loaded query={query}>
        {({ items }) => (
          <>
            <PlainTable<Session>
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { header: t.device, cell: ({ device }) => device ?? t.unknownAddress },
                { header: t.from, cell: ({ address }) => address ?? t.unknownAddress },
                { header: t.signedIn, cell: ({ created_at }) => <TimeAgo at={created_at} /> },
                { header: t.state, isEnd: true, cell: (session) => <EndOne session={session} /> },
              ]}
            />
            <div>
              <ActionButtons
                actions={[
                  {
                    label: t.endOthers,
                    isOffered: items.length > 1,
                    confirm: { title: t.endOthersTitle, text: t.endOthersText },
                    run: () => api.delete('/api/auth/sessions'),
                    touches: [SESSIONS],
                    done: t.othersEnded,
                    failed: t.notEnded,
                  },
                ]}
              />
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

const EndOne = ({ session }: Readonly<{ session: Session }>) => {
  const t = useMessages(messages)
  const { id, address, is_current } = session
  const end = useChange({
    change: () => apiOf('').delete('/api/auth/sessions/{id}', { params: { id } }),
    touches: [SESSIONS],
    done: t.ended,
    failed: t.notEnded,
  })
  if (is_current) return <span className="quiet">{t.thisSession}</span>
  return (
    <Button
      look="quiet"
      disabled={end.isBusy}
      aria-label={t.endOneOf(address ?? t.unknownAddress)}
      onClick={() => end.run(undefined)}
    >
      {t.endOne}
    </Button>
  )
}
