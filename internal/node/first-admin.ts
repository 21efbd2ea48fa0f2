/**
 * Creates the first administrator and keeps its generated password in `initial-admin.txt`.
 *
 * Guarantee: the password is on disk before the account exists, in a draft that gets its name once the database has the account.
 * After a crash in between, the next start finds the draft whose password is the account's. Without room on the disk no account
 * is created. Nodes that share the folder have a draft each.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { verifyPassword } from '#crypto/password.ts'
import { flush } from '#disk/flush.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { bootstrap, type FirstAdmin, type NewPassword } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import { countSuperAdmins, findUser } from '#store/people/users.ts'

const NAME = 'initial-admin.txt'
const DRAFT = /^initial-admin\.txt\.[0-9a-f]{12}$/

type AdminDeps = Pick<Deps, 'db' | 'keyring' | 'randomBytes' | 'passFault'>

const writeDraft = (draft: string, { email, password }: NewPassword): void => {
  try {
    writeFileSync(draft, `${email}\n${password}\n`, { mode: 0o600, flag: 'wx' })
    flush(draft)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

const installDraft = (dataDir: string, draft: string): void => {
  // another node that starts now may have moved it
  if (!existsSync(draft)) return
  renameSync(draft, join(dataDir, NAME))
  flush(dataDir)
}

/** Installs the draft of a start that was cut off, and deletes drafts of accounts that other nodes created first. */
const finishDrafts = async (
  dataDir: string,
  { db }: Pick<AdminDeps, 'db'>,
): Promise<FirstAdmin | null> => {
  const drafts = readdirSync(dataDir).filter((name) => DRAFT.test(name))
  // until there is an administrator, another node may be about to use its draft
  if (drafts.length === 0 || (await countSuperAdmins(db)) === 0) return null
  let admin: FirstAdmin | null = null
  for (const draft of drafts.map((name) => join(dataDir, name))) {
    const [email = '', generatedPassword = ''] = readFileSync(draft, 'utf8').split('\n')
    const stored = (await findUser(db, email))?.passwordHash ?? null
    if (await verifyPassword(generatedPassword, stored)) {
      installDraft(dataDir, draft)
      admin = { email, generatedPassword }
    } else rmSync(draft, { force: true })
  }
  return admin
}

/**
 * Creates the first workspace and administrator if there is none.
 * @returns null when no administrator was created
 * @throws {WrongInstanceKeyError}
 */
export const createFirstAdmin = async (
  config: Pick<Config, 'dataDir' | 'adminEmail' | 'adminPassword'>,
  deps: AdminDeps,
): Promise<FirstAdmin | null> => {
  const { dataDir } = config
  makeFolder(dataDir, 0o700)
  const earlier = await finishDrafts(dataDir, deps)
  const draft = join(dataDir, `${NAME}.${randomBytes(6).toString('hex')}`)
  const created = await bootstrap(deps, {
    ...(config.adminEmail === undefined ? {} : { email: config.adminEmail }),
    ...(config.adminPassword === undefined ? {} : { password: config.adminPassword }),
    keep: (made) => {
      writeDraft(draft, made)
      flush(dataDir)
      deps.passFault('first_admin_before_commit')
    },
  })
  deps.passFault('first_admin_committed')
  if (created?.generatedPassword) installDraft(dataDir, draft)
  else rmSync(draft, { force: true })
  return created ?? earlier
}
