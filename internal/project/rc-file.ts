/**
 * `.svcrc` [functions 2.6]: which app a folder belongs to, and how `svc dev` runs. `SVCRC` may name another file; functions
 * and state stay in the folder where the command runs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { remoteEnvironment } from '#config/remote-environment.ts'
import { AppError, type AppErrorOptions, invalid } from '#core/error.ts'
import { explainIssue } from '#core/explain-issue.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { readLocalApp } from './app-folder.ts'
import { RC_FILE } from './deploy-state.ts'
import { hasManifest, hintOfNearApp } from './near-app.ts'

const DEFAULT_PORT = 3_000

const rcFile = z.looseObject({
  application: z.looseObject({
    id: z.string().min(1),
    name: z.string().min(1).optional(),
  }),
  dev: z
    .looseObject({
      port: z.int().min(0).max(65_535).default(DEFAULT_PORT),
      watch: z.boolean().default(true),
    })
    .default({ port: DEFAULT_PORT, watch: true }),
})

export type Project = Readonly<{
  /** The folder of `functions/` and `.svc/`. */
  folder: string
  /** Path of the rc file. */
  rc: string
  /** The app's key. */
  app: string
  name: string
  port: number
  watch: boolean
}>

/** @throws {AppError} not_found: there is no file; invalid: it cannot be read */
export const loadProject = (folder = '.'): Project => {
  const path = rcPath(folder)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw missing(explainMissing(folder, path), { code: 'no_rc', cause })
  }
  const parsed = rcFile.safeParse(parseJsonOrNull(text), { error: explainIssue })
  if (!parsed.success) throw invalid(explainFault(path, parsed.error))
  const { application, dev } = parsed.data
  return {
    folder: resolve(folder),
    rc: path,
    app: application.id,
    name: application.name ?? application.id,
    port: dev.port,
    watch: dev.watch,
  }
}

/** Returns the path of the file that connects a folder with a server and app. */
export const rcPath = (folder: string): string =>
  resolve(folder, remoteEnvironment().rcFile ?? RC_FILE)

/**
 * Loads the project of `svc dev`; a folder with an app.yaml needs no `.svcrc`.
 * @throws {AppError} not_found: both are missing; invalid: `.svcrc` cannot be read; unprocessable: app.yaml has faults
 */
export const loadDevProject = (): Project => {
  const rc = rcPath('.')
  if (existsSync(rc) || !hasManifest()) return loadProject()
  const { key, name } = readLocalApp().manifest
  return { folder: resolve('.'), rc, app: key, name, port: DEFAULT_PORT, watch: true }
}

/** The message begins as [functions 15.9] requires. */
const explainMissing = (folder: string, path: string): string => {
  const isDefault = path === resolve(folder, RC_FILE)
  if (isDefault && existsSync(resolve(folder, 'app.yaml'))) {
    return `No .svcrc found in ${resolve(folder)}: it has an app.yaml, which \`svc deploy\` without names deploys as a whole and \`svc deploy --dry-run\` checks. For functions alone, run \`svc pull\` first.`
  }
  if (isDefault && existsSync(resolve(folder, 'app.yml'))) {
    return `No .svcrc found in ${resolve(folder)}: rename app.yml to app.yaml.`
  }
  return isDefault
    ? `No .svcrc found in ${resolve(folder)}, and no app.yaml. Run this in the folder of an app: \`svc init <name>\` creates a new one, and \`svc pull\` downloads the functions of one that the server has.${hintOfNearApp(folder)}`
    : `No .svcrc found at ${path}, which SVCRC names. Run \`svc pull\`, or change SVCRC.`
}

const missing = (message: string, options: AppErrorOptions): AppError =>
  new AppError('not_found', message, options)

/** Once the app is known, only a setting of `svc dev` can be wrong. */
const explainFault = (path: string, { issues }: z.ZodError): string => {
  const [fault] = issues
  return fault?.path[0] === 'dev'
    ? `${path}: ${fault.path.join('.')} ${fault.message}. Correct it.`
    : `${path} must be JSON such as {"application":{"id":"shop"}}. Correct it, or run \`svc pull <app>\`.`
}

const object = z.looseObject({})

const readObject = (path: string): Readonly<Record<string, unknown>> => {
  try {
    return object.safeParse(parseJsonOrNull(readFileSync(path, 'utf8'))).data ?? {}
  } catch {
    return {}
  }
}

/** Returns the key of the app that a folder belongs to; null: of none, or its file cannot be read. */
export const readAppOfFolder = (folder: string): string | null =>
  rcFile.shape.application.safeParse(readObject(rcPath(folder)).application).data?.id ?? null

/** Keeps settings that a person has made in the file. @returns its path */
export const writeRcFile = (
  folder: string,
  { id, name }: Readonly<{ id: string; name: string }>,
): string => {
  const path = rcPath(folder)
  const known = readObject(path)
  const application = { ...object.safeParse(known.application).data, id, name }
  const dev = { port: DEFAULT_PORT, watch: true, ...object.safeParse(known.dev).data }
  makeFolder(dirname(path))
  writeFileSync(path, `${JSON.stringify({ ...known, application, dev }, null, 2)}\n`)
  return path
}
