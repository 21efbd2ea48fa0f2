/** A server that accepts pushes, with its copies of repositories in a separate folder, and the real git client. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'vitest'
import { writeHooks } from '#git/push-repository.ts'
import { createRateLimiter } from '#http/admission/rate-limit.ts'
import { createGitSurface } from '#http/surfaces/git-surface.ts'
import { createGitServer, type GitCall } from '#service/git-push/serve-git.ts'
import { findApp } from '#store/apps/apps.ts'
import { createTestApp, type TestApp, type TestAppOptions, WS } from './create-test-app.ts'

export type Ended = Readonly<{ code: number; text: string }>

const ENV = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}

/** Runs git in a folder, with an identity for commits. */
export const runGit = (cwd: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const identity = ['-c', 'user.name=T', '-c', 'user.email=t@l']
    execFile('git', [...identity, ...args], { cwd, env: ENV }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr })
    })
  })

export type PushServer = Readonly<{
  app: TestApp
  base: string
  /** The folder of its copies. */
  root: string
  /** A token that may push and clone. */
  token: string
  /** The address of an app's repository. @param secret @default the token */
  remote: (key: string, secret?: string) => string
  refs: (key: string) => Promise<string>
  commitOf: (key: string) => Promise<string | null | undefined>
  /** Returns what was logged as an error since the last call. */
  takeErrors: () => readonly string[]
  /** Checks that nothing was logged as an error, and closes the server. */
  close: () => Promise<void>
}>

/** More than tests send. */
const HIGH_LIMITS = { run: 0, other: 1_000, anonymous: 1_000, hook: 0 }

export type PushServerOptions = TestAppOptions &
  Readonly<{
    /** Runs after a caller was admitted and before its pack is read. */
    onAdmitted?: (call: GitCall) => Promise<unknown>
  }>

/** @param maxBytes limit of the pack of one push */
export const openPushServer = async (
  maxBytes: number,
  { onAdmitted = async () => undefined, ...options }: PushServerOptions = {},
): Promise<PushServer> => {
  const root = mkdtempSync(join(tmpdir(), 'svc-push-'))
  const folder = { root, maxBytes, path: process.env.PATH ?? '' }
  const errors: string[] = []
  const quiet = (): void => undefined
  const error = (message: string): void => void errors.push(message)
  const log = { debug: quiet, info: quiet, warn: quiet, error }
  writeHooks(folder)
  const app = await createTestApp({
    ...options,
    gitPush: (deps) => {
      const gitServer = createGitServer({ ...deps, folder, log })
      return createGitSurface({
        ...deps,
        gitServer: {
          ...gitServer,
          serve: (call) => onAdmitted(call).then(() => gitServer.serve(call)),
        },
        rateLimit: createRateLimiter(HIGH_LIMITS, () => performance.now()),
      })
    },
  })
  const base = await app.listen()
  const token = await app.token(['deployments:write', 'apps:read'])
  const remote = (key: string, secret = token): string => {
    const url = new URL(`${base}/git/${WS}/${key}`)
    url.username = 'anybody'
    url.password = secret
    return url.href
  }
  return {
    app,
    base,
    root,
    token,
    remote,
    refs: async (key) => (await runGit(root, 'ls-remote', remote(key))).text,
    commitOf: async (key) => (await findApp(app.deps.db, WS, key))?.commit,
    takeErrors: () => errors.splice(0),
    close: async () => {
      await app.close()
      rmSync(root, { recursive: true, force: true })
      expect(errors).toEqual([])
    },
  }
}
