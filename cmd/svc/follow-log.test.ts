import { expect, test } from 'vitest'
import type { Client } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { AppError } from '#core/error.ts'
import { followLog } from './follow-log.ts'

const log = (text: string): string => `event: log\ndata: ${JSON.stringify(text)}\n\n`
const END = 'event: end\ndata: {"status":"success"}\n\n'

/** A stream that breaks off after its events, or closes. */
const streamOf = (text: string, isBroken: boolean): Response => {
  let isSent = false
  return new Response(
    new ReadableStream<Uint8Array>({
      pull: (out) => {
        if (!isSent) out.enqueue(new TextEncoder().encode(text))
        else if (isBroken) out.error(new TypeError('terminated'))
        else out.close()
        isSent = true
      },
    }),
  )
}

const noPause = async (): Promise<void> => undefined

test('a log that breaks off continues where it was, until the job has ended', async () => {
  const answers: (Response | AppError)[] = [
    streamOf(log('one\n') + log('two\n'), true),
    new AppError('unavailable', 'The server is stopping.'),
    streamOf(log('one\ntwo\nth'), false),
    streamOf(log('one\n') + log('two\nthree\n') + END, false),
  ]
  const fetch: Client['fetch'] = async () => {
    const answer = answers.shift()
    if (answer instanceof Response) return answer
    throw answer ?? new Error('No further request was expected.')
  }
  const printed: string[] = []
  await followLog({ fetch }, '/logs', (text) => void printed.push(text), { wait: noPause })
  expect(printed).toEqual(['one\n', 'two\n', 'th', 'ree\n'])
  expect(answers).toEqual([])
})

test('a log of which a part was printed continues behind it', async () => {
  const fetch: Client['fetch'] = async () => streamOf(log('one\ntwo\n') + END, false)
  const printed: string[] = []
  await followLog({ fetch }, '/logs', (text) => void printed.push(text), { printed: 6 })
  expect(printed).toEqual(['o\n'])
})

test('a server that is busy or restarts is called again, and one that refuses is not', async () => {
  const kinds = ['rate_limited', 'unavailable', 'not_found'] as const
  let calls = 0
  const call = async (): Promise<never> => {
    calls += 1
    throw new AppError(kinds[calls - 1] ?? 'internal', 'It is busy.')
  }
  const stated: string[] = []
  const last = outlast(call, noPause, (text) => void stated.push(text))
  await expect(last).rejects.toMatchObject({ kind: 'not_found' })
  expect(calls).toBe(3)
  expect(stated).toEqual(['It is busy. Trying again for up to a minute.'])
})
