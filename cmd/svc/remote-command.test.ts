import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { serveCommands } from '../../test/support/command-target.ts'
import { UsageError } from './exit.ts'
import { limitOption, listCommand, segment } from './remote-command.ts'

const PATH = '/api/w/default/things?limit=500'
/** Pages by path; the server ends the first one early. */
const PAGES: Readonly<Record<string, unknown>> = {
  '/api/auth/me': { workspace: 'default', scopes: [] },
  [PATH]: { items: ['a'], pagination: { next_cursor: 'b&c' } },
  [`${PATH}&cursor=b%26c`]: { items: ['b', 'c'], pagination: { next_cursor: 'd' } },
  [`${PATH}&cursor=d`]: { items: ['d'], pagination: { next_cursor: null } },
}
serveCommands(({ url = '' }, response) => {
  response.end(JSON.stringify(PAGES[url] ?? null))
})

const thing = { command: 'things', describe: '', row: z.string(), columns: {}, none: '' }

const printed = async (
  command: ReturnType<typeof listCommand>,
  flags: object,
): Promise<unknown> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await command.handler({ _: [], $0: 'svc', json: true, ...flags })
    return JSON.parse(String(write.mock.calls[0]?.[0]))
  } finally {
    write.mockRestore()
  }
}

test('a whole list is read to its end', async () => {
  const list = listCommand({ ...thing, path: '/things', isWhole: true })
  expect(await printed(list, {})).toEqual({
    items: ['a', 'b', 'c', 'd'],
    pagination: { next_cursor: null },
  })
})

test('another list is one page', async () => {
  const list = listCommand({ ...thing, path: '/things', query: { limit: limitOption } })
  expect(await printed(list, { limit: 500 })).toEqual(PAGES[PATH])
})

test.each(['', '.', '..'])('an argument "%s" cannot be a part of a path', (text) => {
  expect(() => segment(text)).toThrow(UsageError)
  expect(segment('...')).toBe('...')
})
