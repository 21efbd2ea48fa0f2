/** The node and the browser of a test file. */
import { afterAll, beforeAll } from 'vitest'
import type { AppTexts } from '../support/app-files.ts'
import { openTour, type Tour } from './browser.ts'
import { type ConsoleNode, SAMPLE_APP, startConsoleNode } from './console-node.ts'

export type ConsoleOptions = Readonly<{
  /** Settings of the node, read after the hooks that the file has called before. */
  settings?: () => Readonly<Record<string, string>>
  program?: readonly string[]
  /** Null for a node without an app. @default SAMPLE_APP */
  app?: AppTexts | null
  /** Fills the node before the browser opens. */
  fill?: () => Promise<void>
}>

const OPEN_MS = 300_000

const opened = <Part>(part: Part | undefined): Part => {
  if (part === undefined) throw new Error('The console is open in tests and in `fill` only.')
  return part
}

/** Starts a node and a browser before the tests of the calling file, and stops them after them. */
export const useConsole = ({
  settings,
  program,
  app = SAMPLE_APP,
  fill,
}: ConsoleOptions = {}): Readonly<{ node: ConsoleNode; tour: Tour }> => {
  let node: ConsoleNode | undefined
  let tour: Tour | undefined
  beforeAll(async () => {
    node = await startConsoleNode(settings?.(), program)
    if (app !== null) await node.deploy(app)
    await fill?.()
    tour = await openTour(node)
  }, OPEN_MS)
  afterAll(async () => {
    await tour?.close()
    await node?.stop()
  })
  return {
    node: {
      get url() {
        return opened(node).url
      },
      get databaseUrl() {
        return opened(node).databaseUrl
      },
      get api() {
        return opened(node).api
      },
      deploy: (files) => opened(node).deploy(files),
      startSession: (email) => opened(node).startSession(email),
      runToEnd: (action, input) => opened(node).runToEnd(action, input),
      restart: () => opened(node).restart(),
      pause: () => opened(node).pause(),
      stop: () => opened(node).stop(),
    },
    tour: {
      visit: (look, who) => opened(tour).visit(look, who),
      visitInNewSession: (look, who) => opened(tour).visitInNewSession(look, who),
      close: () => opened(tour).close(),
    },
  }
}
