/** Lists deployments in turns. Their manifests, which name the flows, may have 60 MB together. */
import {
  type BareDeployment,
  type Deployment,
  type DeploymentFilter,
  findDeploymentKeys,
  listDeployments,
} from '#store/apps/deployments.ts'
import type { Deps } from '../deps.ts'
import { groupsOfSize } from '../portions/groups-of-size.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Deployments of one read. Their rows have large manifests before other columns. */
const MAX_ROWS = 50
/** Bytes of manifests that are read within 10 ms. */
const MAX_TURN_BYTES = 1_048_576

type Read = Readonly<{ db: Deps['db']; ws: string }>

const listBare = async (
  { db, ws }: Read,
  { limit, ...filter }: DeploymentFilter,
): Promise<readonly BareDeployment[]> => {
  const all: BareDeployment[] = []
  for (let beforeId = filter.beforeId; ; ) {
    const most = Math.min(MAX_ROWS, limit - all.length)
    const rows = await listDeployments(db, ws, { ...filter, beforeId, limit: most })
    all.push(...rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < most || all.length >= limit) return all
    beforeId = last.id
    await takeTurn()
  }
}

/** Returns the deployments of a workspace, or of one of its apps, newest first. */
export const readDeployments = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  filter: DeploymentFilter,
): Promise<readonly Deployment[]> => {
  const bare = await listBare({ db, ws }, filter)
  const keys = new Map<string, Pick<Deployment, 'actions' | 'flows'>>()
  for (const some of groupsOfSize(bare, ({ manifestSize }) => manifestSize, MAX_TURN_BYTES)) {
    const found = await findDeploymentKeys(
      db,
      some.map(({ id }) => id),
    )
    for (const { id, actions, flows } of found) keys.set(id, { actions, flows })
    await takeTurn()
  }
  return bare.flatMap(({ manifestSize: _, ...deployment }) => {
    const own = keys.get(deployment.id)
    return own === undefined ? [] : [{ ...deployment, ...own }]
  })
}
