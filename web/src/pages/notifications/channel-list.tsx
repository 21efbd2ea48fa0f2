import { Ban, Send } from 'lucide-react'
import { useActions } from '../../kit/action.tsx'
import { Loaded } from '../../kit/detail-page.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { Card } from '../../ui/facts.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { addressOf, type Channel, kindOf } from './channel.ts'
import { messages } from './messages.ts'
import { useChannels } from './use-channels.ts'

export const ChannelList = () => {
  const t = useMessages(messages)
  const { query } = useChannels()
  return (
    <Card title={t.channels}>
      <Loaded query={query}>
        {(channels) =>
          channels.length === 0 ? (
            <p className="quiet">{t.noChannels}</p>
          ) : (
            <PlainTable
              rows={channels}
              keyOf={textOf}
              columns={[
                { header: t.kind, cell: ({ to }) => t[kindOf(to)], isWideOnly: true },
                { header: t.address, cell: ({ to }) => addressOf(to) },
                {
                  header: t.events,
                  cell: ({ on }) => on.map((event) => t[event]).join(', '),
                  isWideOnly: true,
                },
                {
                  header: '',
                  isEnd: true,
                  cell: (channel) => <ChannelActions channel={channel} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

/** Channels have no id, so their content identifies them. */
const textOf = (channel: Channel): string => JSON.stringify(channel)

const ChannelActions = ({ channel }: Readonly<{ channel: Channel }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  // without this scope the addresses are truncated, and a test would go elsewhere
  const isOffered = useMay()('workspace:write')
  const { change, touches } = useChannels()
  const { buttons, question } = useActions(
    [
      {
        label: t.sendTest,
        icon: Send,
        look: 'quiet',
        isOffered,
        run: () => api.post('/notifications/test', { body: { to: channel.to } }),
        touches: [[ws, 'notification-deliveries']],
        done: t.testSent,
        failed: t.testNotSent,
      },
      {
        label: t.remove,
        icon: Ban,
        look: 'quiet',
        isOffered,
        confirm: { title: t.removeTitle(addressOf(channel.to)), text: t.removeText },
        run: () => change((now) => now.filter((each) => textOf(each) !== textOf(channel))),
        touches,
        done: t.removed,
        failed: t.notRemoved,
      },
    ],
    false,
  )
  return (
    <>
      {buttons}
      {question}
    </>
  )
}
