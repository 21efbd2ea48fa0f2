/** Writes the client's types, sdk/api.gen.ts, from the OpenAPI document of the routes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { watchDatabase } from '#store/database-condition.ts'
import { loadConfig } from '../../internal/config/config.ts'
import { openApiDocument } from '../../internal/http/openapi.ts'
import type { Route } from '../../internal/http/route.ts'
import { createFetchDocument } from '../../internal/outbound/fetch-document.ts'
import { createLookUpTxt } from '../../internal/outbound/look-up-txt.ts'
import { createLiveWorkers } from '../../internal/service/live-workers.ts'
import { ROOT_PATHS } from '../../sdk/root-paths.ts'
import { composeDeps, openConfigured } from '../svc/compose.ts'
import { openGit } from '../svc/open-git.ts'
import { ownHostsOf } from '../svc/own-hosts.ts'
import { openPdfReader } from '../svc/pdf-reader.ts'
import { allRoutes } from '../svc/routes.ts'
import { emitClient, rootPathsOf } from './emit-client.ts'
import { writeGenerated } from './write-generated.ts'

/** Creates the routes, which need real dependencies, on an empty temporary database. */
const withRoutes = async <T>(act: (routes: readonly Route[]) => T): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-generate-'))
  const { config } = loadConfig({ env: {}, flags: { 'data-dir': folder } })
  const db = await openConfigured(config)
  try {
    const deps = composeDeps(config, db)
    const health = {
      condition: watchDatabase(db).condition,
      version: '0',
      role: 'server',
      isolation: 'none',
      isStopping: () => false,
      metrics: { contentType: 'text/plain', render: async () => '' },
      metricsToken: undefined,
    }
    const client = { version: '0', jobRetentionDays: 0, maxBodyBytes: 0 }
    const liveWorkers = createLiveWorkers(deps, () => [])
    const fetchDocument = createFetchDocument({ allow: [] })
    const ownHosts = ownHostsOf(config)
    const lookUpTxt = createLookUpTxt({ servers: [] })
    const readers = { git: openGit(config), pdf: openPdfReader(), fetchDocument, lookUpTxt }
    const parts = { ...readers, liveWorkers, ownHosts }
    return act(allRoutes({ ...deps, ...parts, health, client }))
  } finally {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const document: unknown = await withRoutes((routes) =>
  JSON.parse(JSON.stringify(openApiDocument(routes, '0'))),
)
const roots = rootPathsOf(document)
if (roots.toSorted().join() !== ROOT_PATHS.toSorted().join()) {
  throw new Error(`sdk/root-paths.ts must list exactly ${roots.join(', ')}.`)
}

writeGenerated(resolve(import.meta.dirname, '../../sdk/api.gen.ts'), emitClient(document))
