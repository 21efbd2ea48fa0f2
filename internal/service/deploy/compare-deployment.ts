/** Compares a deployment with what runs now; writes nothing. */
import type { AppAddress } from '#core/app-address.ts'
import {
  compareParts,
  type DeploymentChanges,
  type PartSources,
  partsOf,
} from '#core/deploy/changes.ts'
import { notFound } from '#core/error.ts'
import type { Manifest } from '#core/manifest/manifest.ts'
import { findApp } from '#store/apps/apps.ts'
import { findDeployment, findDeploymentContent } from '#store/apps/deployments.ts'
import { listFunctionHashes } from '#store/apps/functions.ts'
import { findFormerDeployment } from '#store/apps/redeployments.ts'
import type { ReadApp } from '../apps/read-app.ts'
import type { Deps } from '../deps.ts'

type CompareDeps = Pick<Deps, 'db'>
type Content = Pick<PartSources, 'manifest' | 'bundleHashes'>

const NO_MANIFEST: PartSources['manifest'] = {
  actions: [],
  flows: [],
  webhooks: [],
  schedules: [],
  events: [],
}

const contentOf = async ({ db }: CompareDeps, deploymentId: string | null): Promise<Content> => {
  if (deploymentId === null) return { manifest: NO_MANIFEST, bundleHashes: new Map() }
  const { manifestJson, bundleHashes } = await findDeploymentContent(db, deploymentId)
  const manifest: Partial<Manifest> = JSON.parse(manifestJson)
  return { manifest: { ...NO_MANIFEST, ...manifest }, bundleHashes }
}

/** Returns what runs now: the current deployment, with functions that were deployed separately since. */
const findRunning = async (deps: CompareDeps, ws: string, app: string): Promise<PartSources> => {
  const current = await findApp(deps.db, ws, app)
  return {
    ...(await contentOf(deps, current?.deploymentId ?? null)),
    functionHashes: await listFunctionHashes(deps.db, ws, app),
  }
}

/** Compares an app that is not deployed yet. Without a functions folder, its functions do not change. */
export const compareWithRunning = async (
  deps: CompareDeps,
  { ws, app }: AppAddress,
  next: ReadApp,
): Promise<DeploymentChanges> => {
  const running = await findRunning(deps, ws, app)
  const functionHashes =
    next.functions === null
      ? running.functionHashes
      : new Map(next.functions.map(({ source: { name, hash } }) => [name, hash]))
  const bundleHashes = new Map(next.entries.map(({ entrypoint, hash }) => [entrypoint, hash]))
  const parts = partsOf({ manifest: next.manifest, bundleHashes, functionHashes })
  return compareParts(partsOf(running), parts)
}

/** Compares a former deployment, before going back to it. @throws {AppError} not_found */
export const compareDeployment = async (
  deps: CompareDeps,
  ws: string,
  id: string,
): Promise<DeploymentChanges> => {
  const [row, former] = await Promise.all([
    findDeployment(deps.db, ws, id),
    findFormerDeployment(deps.db, ws, id),
  ])
  if (row === null || former === null) {
    throw notFound('Deployment', { code: 'deployment_not_found' })
  }
  const running = await findRunning(deps, ws, row.app)
  const functionHashes = former.functions ?? running.functionHashes
  const content = await contentOf(deps, id)
  return compareParts(partsOf(running), partsOf({ ...content, functionHashes }))
}
