/** `.svcrc` (document 3, Project layout): which app a folder is, and how `svc dev` runs. `SVCRC` names another file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { remoteEnvironment } from '#config/remote-environment.ts'
import { AppError, type AppErrorOptions } from '#core/error.ts'

const rcFile = z.looseObject({
  application: z.looseObject({
    id: z.string().min(1),
    name: z.string().min(1).optional(),
  }),
  dev: z
    .looseObject({
      port: z.int().min(0).max(65_535).default(3_000),
      watch: z.boolean().default(true),
    })
    .default({ port: 3_000, watch: true }),
})

export type Project = Readonly<{
  /** Where `functions/` and `.svc/` lie. */
  folder: string
  /** The app's key. */
  app: string
  name: string
  port: number
  watch: boolean
}>

/** @throws {AppError} not_found: there is none; invalid: it cannot be read */
export const loadProject = (folder = '.'): Project => {
  const path = resolve(folder, remoteEnvironment().rcFile ?? '.svcrc')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw missing(
      `No .svcrc found in ${resolve(folder)}. Run \`svc pull\` in the right directory.`,
      { code: 'no_rc', cause },
    )
  }
  const parsed = rcFile.safeParse(toJson(text))
  if (!parsed.success) {
    throw new AppError('invalid', `${path} is no project file. Run \`svc pull\` again.`)
  }
  const { application, dev } = parsed.data
  return {
    folder: dirname(path),
    app: application.id,
    name: application.name ?? application.id,
    port: dev.port,
    watch: dev.watch,
  }
}

const missing = (message: string, options: AppErrorOptions): AppError =>
  new AppError('not_found', message, options)

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @returns its path */
export const writeRcFile = (
  folder: string,
  { id, name }: Readonly<{ id: string; name: string }>,
): string => {
  const path = join(folder, '.svcrc')
  const rc = { application: { id, name }, dev: { port: 3_000, watch: true } }
  writeFileSync(path, `${JSON.stringify(rc, null, 2)}\n`)
  return path
}
