import { describe, expect, it } from 'vitest'
import { unavailable } from '#core/error.ts'
import { followScan, type OnPage } from './follow-scan.ts'

const { signal } = new AbortController()
const follow = (start: (onPage: OnPage) => Promise<unknown>): Promise<Response> =>
  followScan({ start: (_, onPage) => start(onPage), signal, requestId: 'r1' })

const textOf = async (start: (onPage: OnPage) => Promise<unknown>): Promise<string> =>
  (await follow(start)).text()

describe('a scan that is followed', () => {
  it('sends each page and then the result', async () => {
    const text = await textOf(async (onPage) => {
      onPage({ page: 0, pages: 1 })
      await Promise.resolve()
      onPage({ page: 1, pages: 1 })
      return { status: 'SUCCEEDED' }
    })
    expect(text.trim().split('\n\n')).toEqual([
      'event: progress\ndata: {"page":0,"pages":1}',
      'event: progress\ndata: {"page":1,"pages":1}',
      'event: result\ndata: {"status":"SUCCEEDED"}',
    ])
  })

  it('is refused as any request before its first page', async () => {
    const refused = follow(() => Promise.reject(unavailable('Too many documents.')))
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('ends with an error after its first page, which names no fault of ours', async () => {
    const failing = (error: Error) => async (onPage: OnPage) => {
      onPage({ page: 0, pages: 2 })
      await Promise.resolve()
      throw error
    }
    expect(await textOf(failing(unavailable('Too many documents.')))).toContain(
      'event: error\ndata: {"error":"Too many documents.","code":"unavailable","request_id":"r1"}',
    )
    expect(await textOf(failing(new Error('secret')))).not.toContain('secret')
  })

  it('is aborted from its start when its caller has gone before', async () => {
    const isAborted: boolean[] = []
    const start = (until: AbortSignal): Promise<never> => {
      isAborted.push(until.aborted)
      return Promise.reject(unavailable('The caller disconnected.'))
    }
    const followed = followScan({ start, signal: AbortSignal.abort(), requestId: 'r1' })
    await expect(followed).rejects.toMatchObject({ code: 'unavailable' })
    expect(isAborted).toEqual([true])
  })

  it.each(['stops reading', 'disconnects'])('is aborted when its caller %s', async (how) => {
    const caller = new AbortController()
    let work: AbortSignal | null = null
    const answer = await followScan({
      start: (until, onPage) => {
        work = until
        onPage({ page: 0, pages: 2 })
        return new Promise(() => undefined)
      },
      signal: caller.signal,
      requestId: 'r1',
    })
    const reader = answer.body?.getReader()
    await reader?.read()
    if (how === 'disconnects') caller.abort()
    else await reader?.cancel()
    expect(work).toMatchObject({ aborted: true })
  })
})
