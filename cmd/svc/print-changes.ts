/** Shows what a deployment would change. A removal needs a confirmation. */
import { z } from 'zod'
import { conflict } from '#core/error.ts'
import { confirm, isAtTerminal } from './confirm.ts'
import { coloured, printLine } from './print.ts'

const part = z.looseObject({ kind: z.string(), key: z.string() })

export const deploymentChanges = z.looseObject({
  added: z.array(part),
  changed: z.array(part),
  removed: z.array(part),
})
export type DeploymentChanges = z.infer<typeof deploymentChanges>

const name = ({ kind, key }: z.infer<typeof part>): string => `${kind} ${key}`

export const printChanges = ({ added, changed, removed }: DeploymentChanges): void => {
  for (const each of added) printLine(`${coloured('green', '+')} ${name(each)}  added`)
  for (const each of changed) printLine(`${coloured('yellow', '~')} ${name(each)}  changed`)
  for (const each of removed) printLine(`${coloured('red', '-')} ${name(each)}  removed`)
}

export const yesOption = {
  alias: 'y',
  type: 'boolean',
  default: false,
  describe: 'Deploy without asking, even if it removes something',
} as const

/** @throws {AppError} conflict `would_remove`: the person answered no, or there is no terminal */
export const confirmRemoval = async ({ removed }: DeploymentChanges): Promise<void> => {
  if (removed.length === 0) return
  const what = removed.map(name).join(', ')
  if (await confirm(`This removes ${what}. Go on? [y/N] `)) return
  const next = isAtTerminal() ? '' : ' Run it with --yes to go on.'
  throw conflict(`This removes ${what}. Nothing was deployed.${next}`, {
    code: 'would_remove',
  })
}
