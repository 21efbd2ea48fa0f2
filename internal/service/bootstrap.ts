/** First start on an empty database: workspace `default` and an administrator (contract, Running it). */
import { hashPassword } from '#crypto/password.ts'
import { findMeta, insertMeta } from '#store/meta.ts'
import { countUsers, findUser, insertMember, insertUser, isFirstUser } from '#store/users.ts'
import { insertWorkspace } from '#store/workspaces.ts'
import type { Deps } from './deps.ts'

const FIRST_WORKSPACE = 'default'
const FIRST_EMAIL = 'admin@localhost'
const PASSWORD_BYTES = 15

/** Waiting cannot mend it: the node must exit. */
export class WrongInstanceKeyError extends Error {
  override readonly name = 'WrongInstanceKeyError'
  constructor() {
    super(
      'The instance key is not the one that this database was made with. Set SVC_SECRET_KEY, or put the right secret.key into the data directory.',
    )
  }
}

type BootstrapDeps = Pick<Deps, 'db' | 'keyring' | 'randomBytes'>

export type FirstAdmin = Readonly<{
  email: string
  /** Null: the operator chose it. */
  generatedPassword: string | null
}>

/** @throws {WrongInstanceKeyError} */
export const checkInstanceKey = async ({ db, keyring }: BootstrapDeps): Promise<void> => {
  await db.write([insertMeta('instance_key_check', keyring.checkValue())], { retry: true })
  const known = await findMeta(db, 'instance_key_check')
  if (known === null || !keyring.matches(known)) throw new WrongInstanceKeyError()
}

/**
 * Makes the first workspace and its administrator unless there is a user already; two nodes starting at once make one.
 * @returns null when there was nothing to do
 * @throws {WrongInstanceKeyError}
 */
export const bootstrap = async (
  deps: BootstrapDeps,
  wanted: Readonly<{ email?: string; password?: string }>,
): Promise<FirstAdmin | null> => {
  await checkInstanceKey(deps)
  if ((await countUsers(deps.db)) > 0) return null
  const email = wanted.email ?? FIRST_EMAIL
  const password =
    wanted.password ?? Buffer.from(deps.randomBytes(PASSWORD_BYTES)).toString('base64url')
  const passwordHash = await hashPassword(password)
  await deps.db.write(
    [
      insertWorkspace({
        id: FIRST_WORKSPACE,
        name: 'Default',
        wrappedKey: deps.keyring.newWrappedKey(FIRST_WORKSPACE),
      }),
      insertUser({ email, passwordHash, isSuperAdmin: true }, isFirstUser),
      insertMember({ ws: FIRST_WORKSPACE, email, role: 'admin' }),
    ],
    { retry: true },
  )
  const made = await findUser(deps.db, email)
  if (made?.passwordHash !== passwordHash) return null
  return { email, generatedPassword: wanted.password === undefined ? password : null }
}
