import { expect, test } from 'vitest'
import { MAX_START_CALLS } from '#core/job/start-call.ts'
import { FRAME_KINDS } from '../protocol/messages.ts'
import { NO_STATE } from '../state-access.ts'
import { createGuestRpc, type GuestRpcOptions } from './guest-rpc.ts'

test('a job starts at most so many jobs; further calls are refused, and the job goes on', async () => {
  const answers: string[] = []
  let started = 0
  const guest: GuestRpcOptions['guest'] = {
    alive: () => true,
    hold: () => () => undefined,
    deliver: async (line) => void answers.push(line),
  }
  const answer = createGuestRpc({
    guest,
    number: 1,
    onTooMany: () => expect.unreachable('The job was killed.'),
    callbacks: {
      onLog: () => undefined,
      state: NO_STATE,
      getResumeUrls: async () => null,
      cancel: async () => false,
      start: async () => {
        started += 1
        return `job-${started}`
      },
    },
  })
  for (let number = 1; number <= MAX_START_CALLS + 2; number += 1) {
    const head = { id: number, kind: 'action', target: 'greet', number, options: {} }
    const payload = `${JSON.stringify(head)}\t{}`
    answer({ kind: FRAME_KINDS.start, run: 1, payload })
    await Promise.resolve()
  }
  await new Promise((resolve) => setImmediate(resolve))
  expect(started).toBe(MAX_START_CALLS)
  expect(answers).toHaveLength(MAX_START_CALLS + 2)
  expect(answers[0]).toContain('"value":"job-1"')
  expect(JSON.parse(answers.at(-1) ?? '')).toMatchObject({
    name: 'TooManyStarts',
    code: 'too_many_starts',
  })
})
