import { createServer } from 'node:http2'
import * as restate from '@restatedev/restate-sdk'
import type { FlowPeer } from '../flow-peer.ts'
import { freePort } from '../peer-services.ts'

let stepsRun = 0
const step = async (value: number): Promise<number> => {
  stepsRun += 1
  return value + 1
}

const bench = restate.service({
  name: 'bench',
  handlers: {
    three: async (ctx: restate.Context): Promise<number> => {
      const a = await ctx.run('a', () => step(0))
      const b = await ctx.run('b', () => step(a))
      return ctx.run('c', () => step(b))
    },
  },
})

const post = async (url: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** @param url `http://127.0.0.1:<ingress>,http://127.0.0.1:<admin>` */
export const createRestatePeer = (url: string): FlowPeer => {
  const [ingress = '', admin = ''] = url.split(',')
  const server = createServer(restate.createEndpointHandler({ services: [bench] }))
  return {
    name: 'Restate',
    durability: 'its own log on disk, as it comes',
    start: async () => {
      const port = await freePort()
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
      await post(`${admin}/deployments`, { uri: `http://127.0.0.1:${port}` })
    },
    run: async () => Number(await post(`${ingress}/bench/three`, null)),
    stepsRun: () => stepsRun,
    stop: async () => void server.close(),
  }
}
