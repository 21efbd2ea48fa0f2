import { DBOS } from '@dbos-inc/dbos-sdk'
import type { FlowPeer } from '../flow-peer.ts'

let stepsRun = 0
const step = async (value: number): Promise<number> => {
  stepsRun += 1
  return value + 1
}

const three = async (): Promise<number> => {
  const a = await DBOS.runStep(() => step(0), { name: 'a' })
  const b = await DBOS.runStep(() => step(a), { name: 'b' })
  return DBOS.runStep(() => step(b), { name: 'c' })
}
const workflow = DBOS.registerWorkflow(three, { name: 'three' })

export const createDbosPeer = (url: string): FlowPeer => ({
  name: 'DBOS',
  durability: 'PostgreSQL, fsync=on, synchronous_commit=on',
  start: async () => {
    DBOS.setConfig({
      name: 'bench',
      systemDatabaseUrl: url,
      logLevel: 'error',
      runAdminServer: false,
    })
    await DBOS.launch()
  },
  run: async (id) => {
    const handle = await DBOS.startWorkflow(workflow, { workflowID: id })()
    return handle.getResult()
  },
  stepsRun: () => stepsRun,
  stop: () => DBOS.shutdown(),
})
