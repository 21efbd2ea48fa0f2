/**
 * People of a chaos run. They start flows and answer their approvals: several at once and
 * through several servers, twice, too late, and as a person who may not.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Chance } from '../random.ts'
import type { Caller } from './caller.ts'

export type Decision = 'approve' | 'reject'

/** An answer that was acknowledged with 200. */
export type AnswerGiven = Readonly<{ run: string; approver: string; decision: Decision }>

export type FlowLedger = Readonly<{
  /** Ids of acknowledged runs, by the number that they carry. */
  started: ReadonlyMap<number, string>
  answers: readonly AnswerGiven[]
}>

export type Approver = Readonly<{ email: string; token: string }>

export type FlowLoadOptions = Readonly<{
  caller: Caller
  chance: Chance
  approvers: readonly Approver[]
  /** Milliseconds between two starts. */
  everyMs: number
  /** Maximum number of open runs. */
  most: number
  isOver: () => boolean
  /** Ends the wait for runs to reach their approval. */
  isSettled: () => boolean
}>

/** Numbers of runs, distinct from those of jobs. */
export const FIRST_RUN_NUMBER = 1_000_000

const accepted = z.object({ flow_run_id: z.string() })
const seenRun = z.object({
  status: z.enum(['running', 'waiting_approval', 'completed', 'failed', 'canceled']),
  steps: z.array(z.looseObject({ key: z.string(), status: z.string() })),
})
type SeenRun = z.infer<typeof seenRun>

const LOOK_EVERY_MS = 300

/** Every fourth run starts a second later. */
const startPath = (ws: string, number: number): string => {
  const path = `/api/w/${ws}/flows/run/chaos/signed`
  if (number % 4 !== 0) return path
  return `${path}?scheduled_for=${new Date(Date.now() + 1_000).toISOString()}`
}

const isOpen = ({ status }: SeenRun): boolean =>
  status === 'running' || status === 'waiting_approval'

export const createFlowLoad = (options: FlowLoadOptions) => {
  const { caller, chance, approvers, everyMs, most, isOver, isSettled } = options
  const started = new Map<number, string>()
  const answers: AnswerGiven[] = []
  let numbers = FIRST_RUN_NUMBER

  const start = async (number: number): Promise<string | null> => {
    while (!isSettled()) {
      const node = await caller.pickServer()
      const heard =
        node === null
          ? null
          : await caller.call(node, startPath(caller.ws, number), {
              method: 'POST',
              body: JSON.stringify({ id: number }),
              headers: { 'idempotency-key': `r${number}` },
            })
      const answer = accepted.safeParse(heard?.json)
      if (heard !== null && heard.status > 0 && heard.status < 300 && answer.success) {
        started.set(number, answer.data.flow_run_id)
        return answer.data.flow_run_id
      }
      await sleep(50)
    }
    return null
  }
  const look = async (run: string): Promise<SeenRun | null> => {
    const node = await caller.pickServer()
    if (node === null) return null
    const { status, json } = await caller.call(node, `/api/w/${caller.ws}/flow-runs/${run}`)
    return status === 200 ? seenRun.parse(json) : null
  }
  const answer = async (
    run: string,
    { email, token }: Approver,
    decision: Decision,
  ): Promise<void> => {
    const node = await caller.pickServer()
    if (node === null) return
    const body = JSON.stringify(decision === 'approve' ? { values: { note: email } } : {})
    const path = `/api/w/${caller.ws}/flow-runs/${run}/${decision}`
    const { status } = await caller.call(node, path, {
      method: 'POST',
      token,
      body,
      expected: [409],
    })
    if (status === 200) answers.push({ run, approver: email, decision })
  }
  /** The requester of a run tries to approve it, which is not allowed. */
  const approveOwn = async (run: string): Promise<void> => {
    const node = await caller.pickServer()
    if (node === null) return
    const path = `/api/w/${caller.ws}/flow-runs/${run}/approve`
    const { status } = await caller.call(node, path, {
      method: 'POST',
      body: '{}',
      expected: [403, 409],
    })
    if (status === 200) caller.fault(`The requester of ${run} approved it.`)
  }
  /** One person answers twice at once, while others approve and sometimes reject. */
  const answerTogether = async (run: string): Promise<void> => {
    const [first, second, third] = approvers
    if (first === undefined || second === undefined || third === undefined) return
    const together = [answer(run, first, 'approve'), answer(run, first, 'approve')]
    switch (chance.below(6)) {
      case 0:
        together.push(answer(run, third, 'reject'))
        break
      case 1:
        together.push(approveOwn(run))
        break
      case 2:
        break
      default:
        together.push(answer(run, second, 'approve'))
    }
    await Promise.all(together)
    await sleep(chance.between(0, 300))
    await answer(run, second, 'approve')
  }
  /** An answer that comes when nothing waits for it. */
  const answerLate = async (run: string): Promise<void> => {
    const before = answers.length
    const late = approvers.at(-1)
    if (late === undefined) return
    await answer(run, late, 'approve')
    if (answers.slice(before).some((given) => given.run === run && given.approver === late.email)) {
      caller.fault(`The run ${run} was over, and took an approval all the same.`)
    }
  }
  const follow = async (run: string): Promise<void> => {
    while (!isSettled()) {
      const seen = await look(run)
      if (seen !== null && !isOpen(seen)) return answerLate(run)
      if (seen?.status === 'waiting_approval') await answerTogether(run)
      await sleep(LOOK_EVERY_MS)
    }
  }
  const beRequester = async (): Promise<void> => {
    numbers += 1
    const run = await start(numbers)
    if (run !== null) await follow(run)
  }
  const ledger: FlowLedger = { started, answers }
  /** @returns once all runs that it started are over, or the chaos run is */
  const run = async (): Promise<void> => {
    const underWay = new Set<Promise<void>>()
    while (!isOver()) {
      if (underWay.size < most) {
        const requester = beRequester()
        underWay.add(requester)
        void requester.finally(() => underWay.delete(requester))
      }
      await sleep(everyMs)
    }
    await Promise.all(underWay)
  }
  return { ledger, run }
}
