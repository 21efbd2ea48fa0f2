/** Reads which action, flow or webhook a command is for: `<app>/<key>`, or in the folder of an app its key alone. */
import { UsageError } from './exit.ts'
import type { Flags } from './print.ts'

const KEY = '[a-z0-9][a-z0-9_-]{0,62}'
const TARGET = new RegExp(`^(?:(${KEY})/)?(${KEY})$`, 'i')

export type Target = Readonly<{ app: string; key: string }>

/** The help of a positional argument that names one. */
export const targetUsage = (noun: string, key = noun): string =>
  `${noun}, as <app>/<${key.toLowerCase()}>, or its key alone in the folder of the app`

/**
 * Reads a positional argument.
 * @param name of the argument, such as `action`
 * @throws {UsageError} it has another form, or names no app and this is not the folder of one
 * @throws {AppError} unprocessable: it names no app, and the manifest of this folder has no valid key
 */
export const readTarget = async (flags: Flags, name: string): Promise<Target> => {
  const given = String(flags[name])
  const [, named, key] = TARGET.exec(given) ?? []
  if (key === undefined) {
    throw new UsageError(`"${given}" must have the form <app>/<${name}>, for example hello/report.`)
  }
  if (named !== undefined) return { app: named, key }
  // the parser of manifests is loaded only for this
  const { readAppKey } = await import('#project/app-key.ts')
  const app = await readAppKey()
  if (app !== null) return { app, key }
  const { hintOfNearApp } = await import('#project/near-app.ts')
  throw new UsageError(
    `Name the app of "${key}" too, as <app>/${key}, or run this in the folder of the app.${hintOfNearApp('.')}`,
  )
}
