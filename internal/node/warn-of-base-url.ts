/** Warns after the start if another node of the instance leads people to another address. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import { SECOND_MS } from '#core/time-units.ts'
import type { Logger } from '#log/logger.ts'
import type { Database } from '#store/database.ts'
import { BASE_URL, findMeta, upsertMeta } from '#store/meta.ts'
import { listServers } from '#store/nodes/nodes.ts'
import { SERVER_VALID_MS } from './membership.ts'

/** Time that the bus has to connect this node with the servers that run. */
const JOIN_MS = 30 * SECOND_MS

export type ThisNode = Readonly<{
  /** Ids of the nodes that the bus reaches. */
  reached: () => readonly string[]
  log: Pick<Logger, 'warn'>
  isStopping: () => boolean
  /** @default 30 s */
  joinMs?: number
}>

/**
 * Compares `SVC_BASE_URL` with that of the node which started last, and replaces it. A node that is the only server may have
 * another than before. Only servers that the bus reaches count: the row of one that was killed stays for two hours, and this node
 * may have written it itself before its machine or container was renamed.
 */
export const warnOfBaseUrl = async (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  db: Database,
  { reached, log, isStopping, joinMs = JOIN_MS }: ThisNode,
): Promise<void> => {
  // another warning is about a node without the setting
  if (baseUrl === undefined) return
  const own = baseUrl.replace(/\/+$/, '')
  try {
    const before = await findMeta(db, BASE_URL)
    if (before === own) return
    await db.write([upsertMeta(BASE_URL, own)], { retry: true })
    if (before === null) return
    await pause(joinMs, undefined, { ref: false })
    if (isStopping()) return
    const { servers } = await listServers(db, SERVER_VALID_MS)
    const ids = new Set(reached())
    if (!servers.some(({ id }) => ids.has(id))) return
    log.warn(
      'SVC_BASE_URL differs from that of another node, so links lead to different addresses. Set it to the same value on all nodes.',
      { own, other: before },
    )
  } catch (error) {
    if (isStopping()) return
    log.warn('SVC_BASE_URL could not be compared with that of other nodes.', { error })
  }
}
