/**
 * The nodes of a chaos run. Their number is fixed: a node that is not ready in time is killed before it is started again.
 * Only a few start at once, so that a loaded machine gets no further load.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from '../e2e/durable-node.ts'
import type { Fleet } from '../e2e/fleet.ts'
import { databaseEnv } from '../e2e/fleet-databases.ts'
import { skewedClock } from '../support/skewed-clock.ts'
import type { SvcProcess } from '../support/svc-process.ts'
import type { FaultLog } from './fault-log.ts'
import { type Gate, openGate } from './gate.ts'

export type Role = 'server' | 'worker' | 'scheduler'

export type ChaosNode = {
  readonly name: string
  readonly role: Role
  /** Nodes of one kind do the same work. */
  readonly kind: string
  /** Its connections to its databases, if its writes can be held back. */
  readonly gate: NodeGate | null
  /** Null while it is down. */
  node: Node | null
  /** Whether a fault is in progress. Another one waits for its end. */
  isBusy: boolean
}

export type NodeGate = Omit<Gate, 'url'> & Readonly<{ env: Readonly<Record<string, string>> }>

/** A start that was given up, because the node was not ready in time. */
export type GivenUpStart = Readonly<{
  name: string
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** What its threads waited for, and what it had printed. */
  state: string
}>

export type NodeOptions = Readonly<{
  fleet: Fleet
  faults: FaultLog
  /** In addition to what all nodes have. */
  env: Readonly<Record<string, string>>
  program: readonly string[]
}>

export type Nodes = Readonly<{
  all: readonly ChaosNode[]
  /** Servers that are up. They may be paused. */
  servers: () => readonly Node[]
  /** Nodes whose writes can be made to arrive late. */
  canBeLate: () => readonly ChaosNode[]
  start: (node: ChaosNode) => Promise<void>
  kill: (node: ChaosNode) => Promise<void>
  /** Sends SIGTERM. A node that does not end in time is killed. */
  stop: (node: ChaosNode) => Promise<void>
  pause: (node: ChaosNode) => void
  resume: (node: ChaosNode) => void
  /** The most processes that were alive at once. */
  most: () => number
  givenUp: () => readonly GivenUpStart[]
  /** Nodes that ended without being ended, or ended badly. */
  badEnds: () => readonly string[]
  /** Kills all nodes at once, when a run is interrupted. */
  killAll: () => void
  /** Ends the remaining nodes. */
  stopAll: () => Promise<void>
}>

const SHARES: readonly (readonly [Role, number])[] = [
  ['server', 2],
  ['worker', 4],
  ['scheduler', 2],
]
/** The last worker serves its own tag in the strongest sandbox. The others have no confinement, so that the witness can see them. */
const WALLED = 'worker-4'
/** Nodes whose writes to sqld can be held back. The others connect directly, because a gate delays each of their requests. */
const GATED = ['worker-1', 'scheduler-1']
const NO_WALLS = { SVC_SANDBOX: 'node', SVC_SANDBOX_MIN_LEVEL: 'none' }

/** Seconds by which clocks are wrong, where each node's own clock must not matter because the database has its own. */
const SKEWS: Readonly<Record<string, number>> = {
  'server-2': -600,
  'worker-2': 3_600,
  'scheduler-1': 3_600,
  'scheduler-2': -3_600,
}

const MAX_STARTING = 2
const START_MS = 30_000
/** On a busy machine, each further attempt to start gets more time, up to this multiple. */
const MOST_PATIENCE = 4
const SAID_CHARACTERS = 1_000
const STOP_MS = 15_000
const AGAIN_MS = 200

const environmentOf = ({ env, fleet }: NodeOptions, { name, gate }: ChaosNode) => ({
  ...env,
  ...(name === WALLED ? {} : NO_WALLS),
  // the clock of a file database is that of the process that uses it, so all must be right
  ...(fleet.sqld === null ? {} : skewedClock(SKEWS[name] ?? 0)),
  ...gate?.env,
})

const argumentsOf = ({ name, role }: ChaosNode): readonly string[] => {
  if (role !== 'worker') return []
  return ['--name', name, '--tags', name === WALLED ? 'walled' : 'default']
}

const toName = (role: Role, at: number): string => `${role}-${at + 1}`

/** One gate for each database. All are held at once. */
const openGates = async ({ databases }: Fleet): Promise<NodeGate> => {
  const gates = new Map<string, Gate>()
  for (const { name, nodeUrl } of databases) gates.set(name, await openGate(nodeUrl))
  const all = [...gates.values()]
  return {
    env: databaseEnv(databases, ({ name, nodeUrl }) => gates.get(name)?.url ?? nodeUrl),
    hold: () => {
      for (const gate of all) gate.hold()
    },
    release: () => {
      for (const gate of all) gate.release()
    },
    close: async () => {
      await Promise.all(all.map((gate) => gate.close()))
    },
  }
}

const openNodes = async ({ fleet }: NodeOptions): Promise<readonly ChaosNode[]> => {
  const { sqld } = fleet
  const names = SHARES.flatMap(([role, count]) =>
    Array.from({ length: count }, (_, at) => ({ role, name: toName(role, at) })),
  )
  return Promise.all(
    names.map(async ({ role, name }) => {
      const gate = sqld !== null && GATED.includes(name) ? await openGates(fleet) : null
      const kind = name === WALLED ? 'walled worker' : role
      return { name, role, kind, gate, node: null, isBusy: false }
    }),
  )
}

/** Writes the output of a node to the folder that CHAOS_LOGS names, to find the cause of a finding. */
const keepLog = ({ name }: ChaosNode, { child, said }: SvcProcess): void => {
  const folder = env.CHAOS_LOGS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}-${child.pid}.log`), said())
}

/** On Linux: how many threads wait for what. */
const waitsOf = (pid: number | undefined): string => {
  try {
    const tasks = `/proc/${pid}/task`
    const waits = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/wchan`, 'utf8'))
    return [...Map.groupBy(waits, (wait) => wait)]
      .map(([wait, all]) => `${all.length} × ${wait}`)
      .join(', ')
  } catch {
    return 'unknown'
  }
}

const isAlive = ({ child }: SvcProcess): boolean =>
  child.exitCode === null && child.signalCode === null

/** @throws {Error} the process ended before */
const untilReady = async (process: SvcProcess): Promise<RegExpExecArray> => {
  for (;;) {
    try {
      return await process.untilSaid(/.*The node is ready\..*/)
    } catch (error) {
      if (!isAlive(process)) throw error
    }
  }
}

export const createNodes = async (options: NodeOptions): Promise<Nodes> => {
  const { fleet, faults, program } = options
  const all = await openNodes(options)
  const launched = new Set<SvcProcess>()
  const ended = new WeakSet<SvcProcess>()
  const bad: string[] = []
  const givenUp: GivenUpStart[] = []
  let starting = 0
  let most = 0

  const watch = (node: ChaosNode, process: SvcProcess): void => {
    launched.add(process)
    most = Math.max(most, [...launched].filter(isAlive).length)
    void process.ended.then((code) => {
      launched.delete(process)
      keepLog(node, process)
      if (ended.has(process)) return
      bad.push(`${node.name} ended by itself with ${code}: ${process.said().slice(-2_000)}`)
      if (node.node?.process === process) node.node = null
    })
  }
  const end = async (process: SvcProcess, signal: NodeJS.Signals): Promise<number | null> => {
    ended.add(process)
    process.child.kill('SIGCONT')
    process.child.kill(signal)
    return process.ended
  }
  /** Null if the node could not start while the database was unavailable, or not in time. */
  const startOnce = async (node: ChaosNode): Promise<Node | null> => {
    const env = environmentOf(options, node)
    const process = fleet.launch(node.role, { args: argumentsOf(node), env, program })
    // a start may fail; this function then returns null, and it is repeated
    ended.add(process)
    watch(node, process)
    const from = Date.now()
    const giveUp = (): void => {
      const said = process.said().slice(-SAID_CHARACTERS)
      const state = `threads: ${waitsOf(process.child.pid)}; said: ${said}`
      givenUp.push({ name: node.name, from, until: Date.now(), state })
      process.child.kill('SIGKILL')
    }
    const timer = setTimeout(giveUp, START_MS * Math.min(givenUp.length + 1, MOST_PATIENCE))
    try {
      const [line] = await untilReady(process)
      const [, url = ''] = /"url":"(http:[^"]+)"/.exec(line) ?? []
      ended.delete(process)
      return { url, process }
    } catch {
      faults.begin(node.name, 'missed its start')()
      await end(process, 'SIGKILL')
      return null
    } finally {
      clearTimeout(timer)
    }
  }
  const signal = ({ node }: ChaosNode, name: NodeJS.Signals): void => {
    node?.process.child.kill(name)
  }
  const stop = async (node: ChaosNode): Promise<number | null> => {
    const process = node.node?.process
    node.node = null
    if (process === undefined) return 0
    const timer = setTimeout(() => process.child.kill('SIGKILL'), STOP_MS)
    return end(process, 'SIGTERM').finally(() => clearTimeout(timer))
  }
  return {
    all,
    servers: () =>
      all.flatMap(({ role, node }) => (role === 'server' && node !== null ? [node] : [])),
    canBeLate: () => all.filter(({ gate }) => fleet.sqld === null || gate !== null),
    start: async (node) => {
      while (node.node === null) {
        if (starting < MAX_STARTING) {
          starting += 1
          node.node = await startOnce(node).finally(() => {
            starting -= 1
          })
        }
        if (node.node === null) await sleep(AGAIN_MS)
      }
    },
    kill: async (node) => {
      const process = node.node?.process
      node.node = null
      if (process === undefined) return
      const close = faults.begin(node.name, 'killed')
      await end(process, 'SIGKILL')
      close()
    },
    stop: async (node) => {
      const close = faults.begin(node.name, 'stopped')
      await stop(node)
      close()
    },
    pause: (node) => signal(node, 'SIGSTOP'),
    resume: (node) => signal(node, 'SIGCONT'),
    most: () => most,
    givenUp: () => givenUp,
    badEnds: () => bad,
    killAll: () => {
      for (const { child } of launched) child.kill('SIGKILL')
    },
    stopAll: async () => {
      const codes = await Promise.all(all.map(stop))
      for (const [at, code] of codes.entries()) {
        if (code !== 0) bad.push(`${all[at]?.name} ended with ${code} when it was told to`)
      }
      await Promise.all(all.map(({ gate }) => gate?.close()))
    },
  }
}
