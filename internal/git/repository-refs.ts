/** Refs of repositories that clients push to. */
import { unprocessable } from '#core/error.ts'
import type { RefUpdate } from './http-backend.ts'
import { type PushFolder, quarantineOf, runPushGit } from './push-repository.ts'

/** The object id of each ref. */
export type Refs = ReadonlyMap<string, string>

/** Whether an object id means that there is no object: the ref is new, or is deleted. */
export const isNone = (oid: string): boolean => /^0+$/.test(oid)

/** Reads the refs of a repository on this server. @throws {AppError} unavailable */
const readRefs = async (folder: PushFolder, repository: string): Promise<Refs> => {
  const format = '--format=%(refname) %(objectname)'
  const args = ['--git-dir', repository, 'for-each-ref', format]
  const { code, stdout } = await runPushGit(folder, args)
  if (code !== 0) throw new Error('The refs of a pushed repository could not be read.')
  const lines = new TextDecoder().decode(stdout).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [ref = '', oid = ''] = line.split(' ')
      return oid === '' ? [] : [[ref, oid]]
    }),
  )
}

/** The refs after a push. */
export const afterUpdates = (refs: Refs, updates: readonly RefUpdate[]): Refs => {
  const after = new Map(refs)
  for (const { ref, new: oid } of updates) {
    if (isNone(oid)) after.delete(ref)
    else after.set(ref, oid)
  }
  return after
}

const updateRefs = (
  folder: PushFolder,
  repository: string,
  { commands, env = {} }: Readonly<{ commands: readonly string[]; env?: Record<string, string> }>,
) =>
  runPushGit(folder, ['--git-dir', repository, 'update-ref', '--stdin'], {
    env,
    input: commands.map((command) => `${command}\n`).join(''),
  })

/**
 * Lets git check a push as it does on acceptance: names, objects, and the current refs. It changes nothing.
 * @param objects folder of the objects of the push
 * @throws {AppError} unprocessable `bad_ref`
 */
export const checkRefs = async (
  folder: PushFolder,
  repository: string,
  { objects, updates }: Readonly<{ objects: string; updates: readonly RefUpdate[] }>,
): Promise<void> => {
  const changes = updates.filter((update) => !isNone(update.old) || !isNone(update.new))
  const commands = changes.map(({ ref, old, new: next }) =>
    isNone(next) ? `delete ${ref} ${old}` : `update ${ref} ${next} ${old}`,
  )
  const { code, stderr } = await updateRefs(folder, repository, {
    commands: ['start', ...commands, 'prepare', 'abort'],
    env: { ...quarantineOf(repository, objects) },
  })
  if (code === 0) return
  const [reason = 'no reason'] = stderr.replace(/^fatal: (?:prepare: )?/, '').split('\n')
  const shown = reason.replaceAll(/'\/[^']*'/g, 'a file of the server')
  throw unprocessable(`git does not accept these refs: ${shown}`, {
    code: 'bad_ref',
  })
}

/** Sets exactly these refs in a repository on this server, which has their objects already. @throws {Error} */
export const setRefs = async (
  folder: PushFolder,
  repository: string,
  wanted: Refs,
): Promise<void> => {
  const held = await readRefs(folder, repository)
  const deletions = [...held.keys()].filter((ref) => !wanted.has(ref))
  const changes = [...wanted].filter(([ref, oid]) => held.get(ref) !== oid)
  // delete first: a new ref may be below the name of a deleted one, which one transaction would refuse
  for (const commands of [
    deletions.map((ref) => `delete ${ref}`),
    changes.map(([ref, oid]) => `update ${ref} ${oid}`),
  ]) {
    if (commands.length === 0) continue
    const { code, stderr } = await updateRefs(folder, repository, { commands })
    if (code !== 0) throw new Error(`The refs of a copy could not be set: ${stderr}`)
  }
}
