/** A folder with an app, in which tests run `svc dev` without a server. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CommandAnswer, openCommandServer } from './command-server.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { CHILD_ENV } from './svc-process.ts'

/** Flows of `svc dev flow` and of actions that start flows, with their actions `boom` and `orders`. */
export const FLOWS = `  - key: escalated
    inputSchema: { type: object, required: [amount] }
    steps:
      - { key: team, kind: approval, timeoutS: 86400, onTimeout: continue }
      - { key: head, kind: approval, approval: { requiredEvents: 2, timeoutS: 86400 } }
  - key: broken
    steps: [{ key: first, action: boom }]
    failureModule: { key: tell, action: orders }
`

export type DevFolder = Readonly<{
  path: string
  /** Runs `svc dev` in one process that all runs share. @param cwd @default the folder */
  dev: (args: readonly string[], cwd?: string) => CommandAnswer
  close: () => void
}>

export const writeFiles = (root: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

export const openDevFolder = (files: Readonly<Record<string, string>>): DevFolder => {
  const path = makeMemoryFolder('svc-dev-')
  writeFiles(path, files)
  const commands = openCommandServer()
  return {
    path,
    dev: (args, cwd = path) => commands.run({ args: ['dev', ...args], cwd, env: CHILD_ENV }),
    close: () => {
      commands.close()
      rmSync(path, { recursive: true, force: true })
    },
  }
}
