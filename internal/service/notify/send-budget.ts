/**
 * Limits what a workspace sends to addresses of its choice, by rows in the database, so that the limits hold across servers
 * [notifications 2.7].
 */
import { AppError } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#core/time-units.ts'
import type { Statement } from '#store/database.ts'
import {
  deleteGuess,
  findGuessWait,
  type GuessLimit,
  insertGuess,
  readGuess,
} from '#store/people/guesses.ts'
import { guessBucket } from '../access/guess.ts'
import type { Deps } from '../deps.ts'

const TESTS_A_MINUTE = limit(
  'workspace.notify_tests',
  5,
  'times',
  'Tests of notifications of a workspace in a minute. More: 429.',
)
const MAILS_A_DAY = limit(
  'workspace.notify_mails',
  1_000,
  'times',
  'E-mails that the notifications of a workspace send in a day. More: tried again later, then failed.',
)

const testsOf = (ws: string): GuessLimit => ({
  bucket: guessBucket('notify-test', ws),
  most: TESTS_A_MINUTE,
  windowMs: MINUTE_MS,
})
const mailsOf = (ws: string): GuessLimit => ({
  bucket: guessBucket('notify-mail', ws),
  most: MAILS_A_DAY,
  windowMs: DAY_MS,
})

type BudgetDeps = Pick<Deps, 'db' | 'newId'>

/** @returns false if the limit is reached */
const count = async ({ db }: Pick<Deps, 'db'>, id: string, limit: GuessLimit): Promise<boolean> => {
  const batch = { counted: insertGuess(id, limit), recorded: readGuess(id, limit) }
  const { recorded } = await db.write(batch, { retry: true })
  return recorded.rows.length === 1
}

/** Counts a test. @throws {AppError} rate_limited `too_many_tests` */
export const spendTest = async ({ db, newId }: BudgetDeps, ws: string): Promise<void> => {
  const tests = testsOf(ws)
  if (await count({ db }, newId(), tests)) return
  throw new AppError(
    'rate_limited',
    `A workspace can send ${TESTS_A_MINUTE} test notifications a minute. Try again later.`,
    {
      code: 'too_many_tests',
      retryAfterS: Math.max(1, Math.ceil((await findGuessWait(db, tests)) / SECOND_MS)),
    },
  )
}

/** Counts an e-mail. @returns the statement that releases it if it was not sent @throws {Error} the workspace has sent too many */
export const spendMail = async ({ db, newId }: BudgetDeps, ws: string): Promise<Statement> => {
  const id = newId()
  const mails = mailsOf(ws)
  if (await count({ db }, id, mails)) return deleteGuess(id, mails)
  throw new Error(`The workspace has sent ${MAILS_A_DAY} e-mails within a day.`)
}
