import { expect, test } from 'vitest'
import { z } from 'zod'
import { serveCommands } from '../../test/support/command-target.ts'
import { createClient } from './client.ts'

/** What the caller may list; the server refuses it everything else. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/api/w/default/apps?limit=500': ['shop', 'billing'],
  '/api/w/default/apps/shop/actions': ['greet', 'refund'],
  '/api/w/default/flows?limit=500&app=shop': ['order'],
}
let hidden: string | undefined

serveCommands((request, response) => {
  const url = request.url ?? ''
  if (url === '/api/auth/me') {
    response.end('{"workspace":"default","scopes":[]}')
    return
  }
  const keys = url === hidden ? undefined : LISTS[url]
  if (keys !== undefined) response.end(JSON.stringify({ items: keys.map((key) => ({ key })) }))
  else if (!url.includes('/jobs/run/') && !url.includes('/flows/run/')) {
    response
      .writeHead(403)
      .end('{"error":"This needs the scope apps:read.","code":"missing_scope"}')
  } else {
    const [kind, , app, key] = url.split('/').slice(4)
    const isFlow = kind === 'flows'
    const error =
      app === 'shop' ? `${isFlow ? 'Flow' : 'Action'} "${key}" of app "shop"` : `App "${app}"`
    const code = app === 'shop' ? `${isFlow ? 'flow' : 'action'}_not_found` : 'app_not_found'
    response.writeHead(404).end(JSON.stringify({ error: `${error} not found.`, code }))
  }
})

const refusedAt = (path: string): Promise<unknown> =>
  createClient().call(z.unknown(), path, { method: 'POST', json: {} })

test.each([
  ['/jobs/run/shpo/greet', 'App "shpo" not found. Did you mean shop? `svc apps` lists the apps.'],
  ['/jobs/run/shop/gret', 'Action "gret" of app "shop" not found. Did you mean greet? `svc apps'],
  ['/flows/run/shop/ordr', 'Flow "ordr" of app "shop" not found. Did you mean order? `svc flows`'],
  [
    '/jobs/run/shop/order',
    'Action "order" of app "shop" not found. "order" is a flow: `svc flows run`',
  ],
  [
    '/flows/run/shop/greet',
    'Flow "greet" of app "shop" not found. "greet" is an action: `svc run`',
  ],
  ['/jobs/run/zzz/greet', 'App "zzz" not found. `svc apps` lists the apps.'],
])('%s names what was probably meant', async (path, message) => {
  await expect(refusedAt(path)).rejects.toThrow(message)
})

test.each(Object.keys(LISTS))('a caller that may not read %s gets no suggestion', async (list) => {
  hidden = list
  try {
    const isApp = list.includes('/apps?')
    const path = list.includes('/flows?') ? '/flows/run/shop/ordr' : '/jobs/run/shop/gret'
    await expect(refusedAt(isApp ? '/jobs/run/shpo/greet' : path)).rejects.toThrow(
      /not found\. `svc /,
    )
  } finally {
    hidden = undefined
  }
})
