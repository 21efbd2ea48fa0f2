/** Warns at the start if another node of the instance leads people to another address. */
import { hostname } from 'node:os'
import type { Config } from '#config/config.ts'
import type { Logger } from '#log/logger.ts'
import type { Database } from '#store/database.ts'
import { BASE_URL, findMeta, upsertMeta } from '#store/meta.ts'
import { listServers } from '#store/nodes/nodes.ts'
import { SERVER_VALID_MS } from './membership.ts'

export type ThisNode = Readonly<{
  /** Null if other nodes cannot connect to it. */
  address: string | null
  log: Pick<Logger, 'warn'>
}>

/**
 * Compares `SVC_BASE_URL` with that of the node which started last, and replaces it. A node that is the only server may have
 * another than before.
 */
export const warnOfBaseUrl = async (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  db: Database,
  { address, log }: ThisNode,
): Promise<void> => {
  // another warning is about a node without the setting
  if (baseUrl === undefined) return
  const own = baseUrl.replace(/\/+$/, '')
  try {
    const before = await findMeta(db, BASE_URL)
    if (before === own) return
    await db.write([upsertMeta(BASE_URL, own)], { retry: true })
    const { servers } = await listServers(db, SERVER_VALID_MS)
    const others = servers.filter((each) => each.address !== address || each.host !== hostname())
    if (before === null || others.length === 0) return
    log.warn(
      'SVC_BASE_URL differs from that of another node, so links lead to different addresses. Set it to the same value on all nodes.',
      { own, other: before },
    )
  } catch (error) {
    log.warn('SVC_BASE_URL could not be compared with that of other nodes.', { error })
  }
}
