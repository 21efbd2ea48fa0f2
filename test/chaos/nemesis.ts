/**
 * The faults of a chaos run. They are dealt from a shuffled deck that contains each of them, and a new deck begins when all
 * are dealt, so that every kind comes again and again. The seed repeats their order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FileConnection,
  openFileConnection,
} from '#store/backends/file-database-connection.ts'
import { toDatabasePath } from '#store/open-database.ts'
import type { Fleet } from '../e2e/fleet.ts'
import { createCellFaults, type Dealt } from './cell-faults.ts'
import type { Disk, DiskFault } from './disk.ts'
import type { FaultLog } from './fault-log.ts'
import { guestsOf, signalGuest } from './guests.ts'
import { createLateWrites } from './late-writes.ts'
import type { Mover } from './mover.ts'
import type { ChaosNode, Nodes, Role } from './nodes.ts'
import type { Chance } from './random.ts'
import type { Witness } from './witness.ts'

export const FAULTS = [
  'kill node',
  'stop node',
  'pause node',
  'write late',
  'kill in commit',
  'kill guest',
  'pause guest',
  'full disk',
  'slow disk',
  'kill database',
  'pause database',
  'bad network',
  'move workspace',
  'kill move',
] as const
export type Fault = (typeof FAULTS)[number]
export type FaultCounts = Readonly<Record<Fault, number>>

export type NemesisOptions = Readonly<{
  fleet: Fleet
  nodes: Nodes
  disk: Disk
  witness: Pick<Witness, 'open'>
  faults: FaultLog
  /** Null if no workspace is moved. */
  mover: Mover | null
  chance: Chance
  leaseMs: number
  /** Sends jobs whose scripts fail at first, with the highest priority. */
  provokeFailures: () => void
  /** Checked between two faults. */
  isOver: () => boolean
  onFault: (text: string) => void
}>

/** How often each kind is in the deck. */
const SHARES: Readonly<Record<Fault, number>> = {
  'kill node': 6,
  'stop node': 2,
  'pause node': 4,
  'write late': 5,
  'kill in commit': 2,
  'kill guest': 3,
  'pause guest': 2,
  'full disk': 1,
  'slow disk': 1,
  'kill database': 1,
  'pause database': 1,
  'bad network': 3,
  'move workspace': 1,
  'kill move': 1,
}

const LATE_WRITERS: readonly (readonly Role[])[] = [
  ['worker'],
  ['worker'],
  ['scheduler'],
  ['scheduler'],
  ['server'],
]
const MAX_LOCK_TRIES = 400
const MIN_REST_MS = 150
const MAX_REST_MS = 800
/** Milliseconds between two faults of the database. All nodes need it, so work only continues while it is healthy. */
const DATABASE_REST_MS = 12_000
/** How many servers, workers and schedulers are left alone each, and how many of the workers that do most of the work. */
const SPARED = 1

/** Kinds that this backend and this machine allow. */
export const possibleFaults = ({ fleet, disk }: Pick<NemesisOptions, 'fleet' | 'disk'>) => {
  const isFile = fleet.sqld === null
  const isCells = fleet.databases.length > 1
  const isPossible: Partial<Record<Fault, boolean>> = {
    'kill in commit': isFile,
    'full disk': disk.full !== null,
    // the object that delays fsync is loaded into the nodes, and sqld is not started by us
    'slow disk': isFile && disk.slow !== null,
    'kill database': !isFile,
    'pause database': !isFile,
    'bad network': fleet.databases.some(({ network }) => network !== null),
    'move workspace': isCells,
    'kill move': isCells,
  }
  return FAULTS.filter((fault) => isPossible[fault] ?? true)
}

const shuffled = <T>(values: readonly T[], chance: Chance): T[] => {
  const deck = [...values]
  for (let at = deck.length - 1; at > 0; at -= 1) {
    const other = chance.below(at + 1)
    const [one, two] = [deck[at], deck[other]]
    if (one !== undefined && two !== undefined) [deck[at], deck[other]] = [two, one]
  }
  return deck
}

/** @throws {DatabaseError} the lock was never free */
const openLock = async (url: string): Promise<() => void> => {
  const path = toDatabasePath(url) ?? ''
  for (let tries = 0; ; tries += 1) {
    let connection: FileConnection | null = null
    try {
      connection = openFileConnection({ path, busyWaitMs: 20 })
      connection.exec('BEGIN IMMEDIATE')
      const held = connection
      return () => {
        held.exec('ROLLBACK')
        held.close()
      }
    } catch (error) {
      connection?.close()
      if (tries > MAX_LOCK_TRIES) throw error
    }
    await sleep(5)
  }
}

export const createNemesis = (options: NemesisOptions) => {
  const { fleet, nodes, disk, faults, chance, onFault } = options
  const { sqld } = fleet
  const count = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>
  let isDatabaseBusy = false
  let databaseRestsUntil = 0

  const done = (fault: Fault, text: string): void => {
    count[fault] += 1
    onFault(text)
  }
  /** A node that is up while another one of its kind is well. */
  const pickNode = (roles: readonly Role[], among: readonly ChaosNode[]): ChaosNode | null => {
    const well = nodes.all.filter(({ node, isBusy }) => node !== null && !isBusy)
    const isSpared = ({ role, kind }: ChaosNode): boolean => {
      const isOnly = nodes.all.filter((other) => other.kind === kind).length === 1
      const alike = well.filter((other) => (isOnly ? other.role === role : other.kind === kind))
      return alike.length <= SPARED
    }
    const fit = well.filter(
      (each) => roles.includes(each.role) && !isSpared(each) && among.includes(each),
    )
    return fit.length === 0 ? null : chance.pick(fit)
  }
  const withNode = (
    roles: readonly Role[],
    harm: (node: ChaosNode) => Promise<void>,
    among: readonly ChaosNode[] = nodes.all,
  ): Dealt => {
    const node = pickNode(roles, among)
    if (node === null) return null
    node.isBusy = true
    return harm(node).finally(() => {
      node.isBusy = false
    })
  }
  const anyRole: readonly Role[] = ['server', 'worker', 'scheduler']
  const pause = async (node: ChaosNode, ms: number): Promise<void> => {
    const end = faults.begin(node.name, 'paused')
    nodes.pause(node)
    await sleep(ms)
    nodes.resume(node)
    end()
  }
  /** Takes the writer's lock of a file from outside of svc. @returns a function that releases it */
  const lockFile = async (): Promise<() => void> => {
    const unlock = await openLock(fleet.folder.databaseUrl)
    const end = faults.begin('database', 'locked')
    return () => {
      unlock()
      end()
    }
  }
  const harmDatabase = (what: string, harm: () => Promise<void>): Dealt => {
    if (isDatabaseBusy || performance.now() < databaseRestsUntil) return null
    isDatabaseBusy = true
    const end = faults.begin('database', what)
    return harm()
      .finally(end)
      .finally(() => {
        databaseRestsUntil = performance.now() + DATABASE_REST_MS
        isDatabaseBusy = false
      })
  }
  const harmDisk = (fault: Fault, harm: DiskFault | null, ms: number): Dealt =>
    harmDatabase(fault, async () => {
      if (harm === null) return
      done(fault, `${fault} for ${ms} ms`)
      try {
        harm.begin()
        await sleep(ms)
      } finally {
        harm.end()
        // a server that could not write may have ended
        if (sqld !== null) await sqld.restart()
      }
    })
  const late = createLateWrites({
    ...options,
    lockFile,
    onFault: (text) => done('write late', text),
  })
  /**
   * Delays writes of a node. Of workers, mostly of one that is about to write a retry, because only a late retry could
   * queue a job twice. That worker is left alone until its script fails, and failing scripts are sent for it.
   */
  const writeLate = (roles: readonly Role[]): Dealt => {
    const among = nodes.canBeLate()
    if (!roles.includes('worker') || chance.below(4) === 0) {
      return withNode(roles, (node) => late.writeLate(node, null), among)
    }
    const seek = async (node: ChaosNode): Promise<void> => {
      options.provokeFailures()
      await late.writeLate(node, await late.seekFailing(node))
    }
    return withNode(
      roles,
      seek,
      among.filter(({ kind }) => kind === 'worker'),
    )
  }
  /** Sends a signal to one guest of any node. */
  const withGuest = (signal: NodeJS.Signals, harm: (guest: number) => Promise<void>): Dealt => {
    const guests = nodes.all.flatMap(({ node }) => guestsOf(node?.process.child.pid))
    if (guests.length === 0) return null
    const guest = chance.pick(guests)
    return signalGuest(guest, signal) ? harm(guest) : null
  }
  const cellFaults = createCellFaults({
    ...options,
    // a faulty network and a faulty database at once would leave nothing to observe
    takeDatabase: (what) => {
      if (isDatabaseBusy) return null
      isDatabaseBusy = true
      const end = faults.begin('database', what)
      return () => {
        end()
        isDatabaseBusy = false
      }
    },
    done,
  })
  const work: Readonly<Record<Fault, () => Dealt>> = {
    ...cellFaults,
    'kill node': () =>
      withNode(anyRole, async (node) => {
        done('kill node', `kill ${node.name}`)
        await nodes.kill(node)
        await sleep(chance.between(50, 1_500))
        await nodes.start(node)
      }),
    'stop node': () =>
      withNode(anyRole, async (node) => {
        done('stop node', `stop ${node.name}`)
        await nodes.stop(node)
        await nodes.start(node)
      }),
    'pause node': () =>
      withNode(anyRole, async (node) => {
        const ms = chance.between(200, 4_500)
        done('pause node', `pause ${node.name} for ${ms} ms`)
        await pause(node, ms)
      }),
    'write late': () => writeLate(chance.pick(LATE_WRITERS)),
    'kill in commit': () =>
      withNode(['server'], async (node) => {
        done('kill in commit', `kill ${node.name} while it waits for its commit`)
        const unlock = await lockFile()
        await sleep(chance.between(200, 600))
        await nodes.kill(node)
        unlock()
        await nodes.start(node)
      }),
    'kill guest': () =>
      withGuest('SIGKILL', async (guest) => done('kill guest', `kill guest ${guest}`)),
    'pause guest': () =>
      withGuest('SIGSTOP', async (guest) => {
        done('pause guest', `pause guest ${guest}`)
        // no cause for a lost lease: the worker sends heartbeats, not the guest
        const end = faults.begin(`guest ${guest}`, 'paused')
        await sleep(chance.between(500, 4_000))
        signalGuest(guest, 'SIGCONT')
        end()
      }),
    'full disk': () => harmDisk('full disk', disk.full, chance.between(500, 2_500)),
    'slow disk': () => harmDisk('slow disk', disk.slow, chance.between(1_000, 3_000)),
    'kill database': () =>
      harmDatabase('killed', async () => {
        const ms = chance.between(100, 2_000)
        done('kill database', `kill the database for ${ms} ms`)
        await sqld?.kill()
        await sleep(ms)
        await sqld?.restart()
      }),
    'pause database': () =>
      harmDatabase('paused', async () => {
        const ms = chance.between(100, 2_500)
        done('pause database', `pause the database for ${ms} ms`)
        await sqld?.pause()
        await sleep(ms)
        sqld?.resume()
      }),
  }

  /** Deals the first card that finds something to harm now. Cards that have waited come before those added since. */
  const deal = (deck: Fault[]): Promise<void> | null => {
    for (const [at, fault] of deck.entries()) {
      const dealt = work[fault]()
      if (dealt === null) continue
      deck.splice(at, 1)
      return dealt
    }
    return null
  }
  /** @returns once everything that it took down is up again */
  const run = async (): Promise<void> => {
    const possible = possibleFaults(options)
    const cards = possible.flatMap((fault) => Array.from({ length: SHARES[fault] }, () => fault))
    const cardsBut = (left: readonly Fault[]) => cards.filter((card) => !left.includes(card))
    const underWay: Promise<void>[] = []
    let deck: Fault[] = []
    while (!options.isOver()) {
      if (deck.length === 0) deck = shuffled(cards, chance)
      const dealt = deal(deck)
      if (dealt !== null) underWay.push(dealt)
      // the remaining cards wait for a node that is not up yet; other kinds go on meanwhile
      else deck.push(...shuffled(cardsBut(deck), chance))
      // restart a node that ended on its own too
      for (const node of nodes.all) {
        if (node.node === null && !node.isBusy) underWay.push(withRestart(node))
      }
      await sleep(chance.between(MIN_REST_MS, MAX_REST_MS))
    }
    await Promise.all(underWay)
  }
  const withRestart = async (node: ChaosNode): Promise<void> => {
    node.isBusy = true
    await nodes.start(node).finally(() => {
      node.isBusy = false
    })
  }
  return { run, count: count satisfies FaultCounts, lateRetries: late.meetings }
}
