/** The warnings of a deploy: what is deployed but will fail. */
import type { ErrorDetail } from '#core/error.ts'
import type { Manifest } from '#core/manifest/manifest.ts'
import { listVariables } from '#store/secrets.ts'
import { type ReadApp, warningsOf } from '../apps/read-app.ts'
import type { Deps } from '../deps.ts'

/** Warns of webhooks whose secret does not exist yet, because svc refuses each delivery to them. */
const findUnsetSecrets = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  { webhooks }: Pick<Manifest, 'webhooks'>,
): Promise<readonly ErrorDetail[]> => {
  const wanted = webhooks.flatMap(({ key, verify }) =>
    'secret' in verify ? [{ key, secrets: verify.secret }] : [],
  )
  if (wanted.length === 0) return []
  const known = new Set((await listVariables(db, ws)).map((variable) => variable.key))
  return wanted
    .filter(({ secrets }) => !secrets.some((secret) => known.has(secret)))
    .map(({ key, secrets: [secret = ''] }) => ({
      path: `webhook ${key}`,
      message: `It refuses each delivery until its variable ${secret} is set: svc variables set ${secret} < file`,
    }))
}

/** Returns the warnings of an app: of its manifest, its code, and webhooks without a secret. */
export const findDeployWarnings = async (
  deps: Pick<Deps, 'db'>,
  ws: string,
  app: ReadApp,
): Promise<readonly ErrorDetail[]> => [
  ...warningsOf(app),
  ...(await findUnsetSecrets(deps, ws, app.manifest)),
]
