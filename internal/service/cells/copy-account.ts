/** Gives a further cell the row of an account, ahead of the row of a member or token that refers to it. */
import type { Statement } from '#store/database.ts'
import { type Account, insertAccountCopy } from '#store/users.ts'
import type { Deps } from '../deps.ts'

/** Nothing at home, where the account itself is. */
export const copyAccount = (
  { db, home }: Pick<Deps, 'db' | 'home'>,
  account: Pick<Account, 'email' | 'name'>,
): readonly Statement[] => (db === home ? [] : [insertAccountCopy(account)])
