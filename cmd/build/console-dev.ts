/** `make console-dev`: serves the console from source with hot reload, in front of a node on port 3000. */
import { join } from 'node:path'
import process from 'node:process'
import { createServer } from 'vite'
import { ROOT } from '../root.ts'

const node = process.argv[2] ?? 'http://127.0.0.1:3000'

const server = await createServer({
  configFile: false,
  root: join(ROOT, 'web'),
  base: '/ui/',
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/healthz', '/document-parser', '/v2'].map((path) => [path, node]),
    ),
    fs: { allow: [ROOT] },
  },
})
await server.listen()
server.printUrls()
