/** How jobs of an action run: its manifest, and the tag that was set in the console. */

import type { Schemas } from '#sdk/client.ts'
import { readConcurrency } from '../../../flow/concurrency.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { SECOND_MS } from '../../../language/units.ts'
import { Facts } from '../../../ui/facts.tsx'
import { readRetry } from '../action-facts.ts'
import { messages } from './messages.ts'
import { TagFact } from './tag-fact.tsx'

type ActionFactsProps = Readonly<{ app: string; action: Schemas['Action'] }>

export const ActionFacts = ({ app, action }: ActionFactsProps) => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  const retry = readRetry(action.retry)
  const concurrency = readConcurrency(action.concurrency)
  const { network, memory_mb: memory } = action
  return (
    <Facts
      facts={[
        [t.tag, <TagFact key="tag" app={app} action={action} />],
        [t.timeout, duration(action.timeout_s * SECOND_MS)],
        [
          t.retry,
          retry === null
            ? t.noRetry
            : t.retries(retry.maxAttempts, duration(retry.delayMs), retry.backoffFactor),
        ],
        [
          t.concurrency,
          concurrency === null ? t.noLimit : t.limit(concurrency.limit, concurrency.key),
        ],
        [
          t.network,
          network === null ? t.anyHost : network.length === 0 ? t.noHost : network.join(', '),
        ],
        [t.memory, memory === null ? null : `${memory} MB`],
        [t.isolation, action.isolation === 'fresh' ? t.fresh : t.shared],
        [t.lost, t[action.on_worker_lost]],
        [t.entrypoint, <code key="entrypoint">{action.entrypoint}</code>],
      ]}
    />
  )
}
