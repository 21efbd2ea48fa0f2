import { expect, test } from 'vitest'
import { createClient } from '#cli-client/client.ts'
import { serveCommands } from '../../test/support/command-target.ts'
import { scheduleId } from './named-schedule.ts'

const row = (id: string, key: string | null, managed: string | null) => ({
  id,
  key,
  managed_key: managed,
})
const PAGES: Readonly<Record<string, object>> = {
  '?limit=500&app=shop': {
    items: [row('s1', null, 'nightly'), row('s2', 'twice', null)],
    pagination: { next_cursor: 'more' },
  },
  '?limit=500&app=shop&cursor=more': {
    items: [row('s3', null, 'twice'), row('s4', 'customer/17', null), row('s5', null, null)],
    pagination: { next_cursor: null },
  },
}

serveCommands((request, response) => {
  const { url = '' } = request
  if (url === '/api/auth/me') return void response.end('{"workspace":"default","scopes":["*"]}')
  const page = PAGES[url.replace('/api/w/default/schedules', '')]
  response.end(JSON.stringify(page ?? { items: [], pagination: { next_cursor: null } }))
})

test.each([
  ['01a1fd91-3d6b-770e-a570-5f660007cb1b', '01a1fd91-3d6b-770e-a570-5f660007cb1b'],
  ['shop/nightly', 's1'],
  ['shop/customer/17', 's4'],
])('%s', async (named, id) => {
  expect(await scheduleId(createClient, named)).toBe(id)
})

test.each([
  ['shop/twice', 'Two schedules of app "shop" have the key "twice". Use an ID: s2 or s3.'],
  ['shop/nigthly', 'App "shop" has no schedule "nigthly". Did you mean shop/nightly?'],
  ['shop/', 'App "shop" has no schedule "". `svc schedules` lists keys and IDs.'],
  ['other/nightly', 'App "other" has no schedule "nightly". `svc schedules` lists keys and IDs.'],
])('%s names none, or two', async (named, message) => {
  await expect(scheduleId(createClient, named)).rejects.toThrow(message)
})
