/** The first start on an empty database: creates the workspace `default` and an administrator [access 10.5]. */

import { normalizeEmail } from '#core/access/email.ts'
import { OPENING_CREDIT_WON } from '#core/billing/balance.ts'
import { hashPassword } from '#crypto/password.ts'
import { insertOpeningCreditIfChanged } from '#store/billing/credit.ts'
import type { Statement } from '#store/database.ts'
import { findMeta, insertMeta } from '#store/meta.ts'
import {
  countSuperAdmins,
  findUser,
  hasNoSuperAdmin,
  insertSuperAdminsAsMembers,
  insertUser,
  type NewUser,
  promoteFirstSuperAdmin,
} from '#store/people/users.ts'
import {
  countWorkspaces,
  findWorkspace,
  insertWorkspace,
  isFirstStart,
  listWorkspaces,
} from '#store/workspaces/workspaces.ts'
import type { Deps } from './deps.ts'
import { newPassword } from './people/new-password.ts'

const FIRST_WORKSPACE = 'default'
const FIRST_EMAIL = 'admin@localhost'

/** The instance key and the database do not match. Waiting does not help, so the node must exit. */
export class WrongInstanceKeyError extends Error {
  override readonly name = 'WrongInstanceKeyError'
  constructor() {
    super(
      'The instance key is not the one of this database. Set SVC_SECRET_KEY, or put the right secret.key into the data directory.',
    )
  }
}

type BootstrapDeps = Pick<Deps, 'db' | 'keyring' | 'randomBytes'>

export type FirstAdmin = Readonly<{
  email: string
  /** Null when the operator chose a password, or the user had one. */
  generatedPassword: string | null
}>

export type NewPassword = Readonly<{ email: string; password: string }>

export type WantedFirstAdmin = Readonly<{
  email?: string
  password?: string
  /** Called with a generated password before the account is created, so that it can be stored. */
  keep?: (made: NewPassword) => void
}>

/** Compares the instance key with the database; the first call stores its check value. @throws {WrongInstanceKeyError} */
export const checkInstanceKey = async ({ db, keyring }: BootstrapDeps): Promise<void> => {
  await db.write([insertMeta('instance_key_check', keyring.checkValue())], { retry: true })
  const stored = await findMeta(db, 'instance_key_check')
  if (stored === null || !keyring.matches(stored)) throw new WrongInstanceKeyError()
}

/**
 * Creates the workspace `default`, and an administrator when there is no super admin. What was created by hand before the first
 * start prevents neither; an instance that has both a workspace and a super admin is left as it is. Two nodes that start at once
 * create one of each.
 * @returns null when no administrator was created
 * @throws {WrongInstanceKeyError}
 */
export const bootstrap = async (
  deps: BootstrapDeps,
  wanted: WantedFirstAdmin,
): Promise<FirstAdmin | null> => {
  await checkInstanceKey(deps)
  const needsAdmin = (await countSuperAdmins(deps.db)) === 0
  if (!needsAdmin && (await countWorkspaces(deps.db)) > 0) return null
  const admin = needsAdmin ? await describeFirstAdmin(deps, wanted) : null
  if (admin !== null && admin.generatedPassword !== null) {
    wanted.keep?.({ email: admin.email, password: admin.generatedPassword })
  }
  const administrator =
    admin === null ? [] : [insertUser(admin, hasNoSuperAdmin), promoteFirstSuperAdmin(admin)]
  const statements = [
    // its guard looks for a super admin, so that it comes before the administrator
    ...firstWorkspace(deps),
    ...administrator,
    insertSuperAdminsAsMembers(FIRST_WORKSPACE),
  ]
  await deps.db.write(statements, { retry: true })
  return admin === null ? null : await toFirstAdmin(deps, admin)
}

/** Returns the workspace in which people begin: `default`, or the only one. Null if they must choose, or there is none. */
export const findFirstWorkspace = async ({ db }: Pick<Deps, 'db'>): Promise<string | null> => {
  if ((await findWorkspace(db, FIRST_WORKSPACE)) !== null) return FIRST_WORKSPACE
  const [first, ...others] = await listWorkspaces(db, { after: null, limit: 2 })
  return others.length === 0 ? (first?.id ?? null) : null
}

const firstWorkspace = ({ keyring }: BootstrapDeps): readonly Statement[] => [
  insertWorkspace(
    {
      id: FIRST_WORKSPACE,
      name: 'Default',
      wrappedKey: keyring.newWrappedKey(FIRST_WORKSPACE),
      keyCheck: keyring.checkValue(),
    },
    isFirstStart,
  ),
  insertOpeningCreditIfChanged(FIRST_WORKSPACE, OPENING_CREDIT_WON),
]

type WantedAdmin = NewUser &
  Readonly<{
    passwordHash: string
    generatedPassword: string | null
    /** Whether the user exists already. Then it is promoted and keeps its password, if it has one. */
    isKnown: boolean
  }>

const describeFirstAdmin = async (
  deps: BootstrapDeps,
  wanted: WantedFirstAdmin,
): Promise<WantedAdmin> => {
  const email = normalizeEmail(wanted.email ?? FIRST_EMAIL)
  const generated = newPassword(deps)
  return {
    email,
    passwordHash: await hashPassword(wanted.password ?? generated),
    isSuperAdmin: true,
    generatedPassword: wanted.password === undefined ? generated : null,
    isKnown: (await findUser(deps.db, email))?.isSuperAdmin === false,
  }
}

/** Returns null when another node created the administrator. */
const toFirstAdmin = async (
  { db }: BootstrapDeps,
  { email, passwordHash, generatedPassword, isKnown }: WantedAdmin,
): Promise<FirstAdmin | null> => {
  const made = await findUser(db, email)
  if (made?.passwordHash === passwordHash) return { email, generatedPassword }
  return isKnown && made?.isSuperAdmin ? { email, generatedPassword: null } : null
}
