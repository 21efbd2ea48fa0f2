/** Deploys an app with its code, for tests that run it. */
import { CLI_ACTOR } from '#core/access/actor.ts'
import { type Deployed, deployApp } from '#service/deploy/deploy-app.ts'
import { type AppTexts, toAppFiles } from './app-files.ts'
import { WS } from './open-queue.ts'

export const deployTexts = (
  deps: Parameters<typeof deployApp>[0],
  texts: AppTexts,
): Promise<Deployed> =>
  deployApp(deps, {
    ws: WS,
    files: toAppFiles(texts),
    source: 'upload',
    commit: null,
    gitSourceId: null,
    message: null,
    actor: CLI_ACTOR,
  })
