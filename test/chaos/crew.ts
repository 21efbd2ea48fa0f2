/** The nodes of a chaos run: who they are, who is up, and how one that was killed comes back under its old name. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from '../e2e/durable-node.ts'
import type { Fleet } from '../e2e/fleet.ts'
import { skewedClock } from '../support/skewed-clock.ts'

export type CrewRole = 'server' | 'worker' | 'scheduler'

export type Sailor = {
  readonly name: string
  readonly role: CrewRole
  /** Null: it is down. */
  node: Node | null
  isPaused: boolean
}

export interface Crew {
  readonly sailors: readonly Sailor[]
  /** Servers that are up; they may be paused. */
  servers(): readonly Node[]
  start(sailor: Sailor): Promise<void>
  kill(sailor: Sailor): Promise<void>
  pause(sailor: Sailor): void
  resume(sailor: Sailor): void
  /** Ends those that are left. @returns those that did not end with 0 */
  stop(): Promise<readonly string[]>
}

const SHARES: readonly (readonly [CrewRole, number])[] = [
  ['server', 2],
  ['worker', 3],
  ['scheduler', 2],
]

/** Seconds by which clocks are wrong, where each node's own clock must not matter: the database has one of its own. */
const SKEWS: Readonly<Record<string, number>> = {
  'server-2': -600,
  'worker-2': 3_600,
  'scheduler-1': 3_600,
  'scheduler-2': -3_600,
}

/** A node that cannot start while the database is away says so and is tried again. */
const startOnce = async (fleet: Fleet, { role, name }: Sailor): Promise<Node | null> => {
  try {
    return await fleet.start(role, {
      args: role === 'worker' ? ['--name', name] : [],
      // a file's clock is that of whoever asks: then all must be right
      env: fleet.backend === 'file' ? {} : skewedClock(SKEWS[name] ?? 0),
    })
  } catch {
    return null
  }
}

export const createCrew = (fleet: Fleet): Crew => {
  const sailors: readonly Sailor[] = SHARES.flatMap(([role, count]) =>
    Array.from({ length: count }, (_, at) => ({
      name: `${role}-${at + 1}`,
      role,
      node: null,
      isPaused: false,
    })),
  )
  const signal = ({ node }: Sailor, name: NodeJS.Signals): void => {
    node?.process.child.kill(name)
  }
  const resume = (sailor: Sailor): void => {
    signal(sailor, 'SIGCONT')
    sailor.isPaused = false
  }
  return {
    sailors,
    servers: () =>
      sailors.flatMap(({ role, node }) => (role === 'server' && node !== null ? [node] : [])),
    start: async (sailor) => {
      while (sailor.node === null) {
        sailor.node = await startOnce(fleet, sailor)
        if (sailor.node === null) await sleep(200)
      }
    },
    kill: async (sailor) => {
      const { node } = sailor
      sailor.node = null
      sailor.isPaused = false
      node?.process.child.kill('SIGKILL')
      await node?.process.ended
    },
    pause: (sailor) => {
      sailor.isPaused = true
      signal(sailor, 'SIGSTOP')
    },
    resume,
    stop: async () => {
      const ends = sailors.map(async (sailor) => {
        resume(sailor)
        const code = await sailor.node?.process.stop()
        return code === 0 ? null : `${sailor.name} ended with ${code}`
      })
      return (await Promise.all(ends)).filter((fault) => fault !== null)
    },
  }
}
