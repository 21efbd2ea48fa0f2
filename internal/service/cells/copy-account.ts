/** Copies the row of an account to a further cell, before a member or token there refers to it. */
import type { Statement } from '#store/database.ts'
import { type Account, insertAccountCopy } from '#store/people/users.ts'
import type { Deps } from '../deps.ts'

/** Returns no statement for the home, which has the account itself. */
export const copyAccount = (
  { db, home }: Pick<Deps, 'db' | 'home'>,
  account: Pick<Account, 'email' | 'name'>,
): readonly Statement[] => (db === home ? [] : [insertAccountCopy(account)])
