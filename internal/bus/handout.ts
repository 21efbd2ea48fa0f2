/**
 * Chooses the workers to notify of queued jobs: one worker with room, and more only while there are more jobs than it has
 * room for. The load of a worker is what it reported last, plus what it was notified of within the last second.
 *
 * Workers and schedulers connect only to servers, so they leave the choice to one of them.
 */
import { fromCellKey } from '#core/cells.ts'
import { chooseWorkers, type HintedWorker, reachOf } from '#core/hint-shares.ts'
import type { Link } from './link.ts'
import type { NodeFacts } from './protocol.ts'

export type Handout = Readonly<{
  /**
   * Chooses for jobs that this process queued. Its own worker already knows of them.
   * @returns the links to notify; `isTaken`: if a server makes the choice, whether the own worker has room for the jobs
   */
  ofOwn: (tag: string, jobs: number) => Readonly<{ links: readonly Link[]; isTaken: boolean }>
  /**
   * Chooses for jobs that another node queued. A hint that a worker gets from a server is not passed on, so hints do not circulate.
   * @returns the links to notify, and whether to notify the worker of this process
   */
  ofOther: (
    from: Link,
    queued: Readonly<{ tag: string; jobs: number; isTaken: boolean }>,
  ) => Readonly<{ links: readonly Link[]; isOwn: boolean }>
}>

export type HandoutOptions = Readonly<{
  links: () => Iterable<Link>
  describe: () => NodeFacts
  /** Milliseconds of any clock. */
  now: () => number
}>

type Hinted = { jobs: number; since: number; turn: number }
/** `link` is null for the worker of this process. */
type Candidate = HintedWorker & Readonly<{ link: Link | null }>

/** By then the load that the worker reports includes the jobs of earlier notices, or those jobs have ended. */
const COUNTS_FOR_MS = 1_000

const toCandidate = (
  node: NodeFacts | undefined,
  tag: string,
  more: Readonly<{ link: Link | null; hintedJobs: number; hintedAt: number }>,
): Candidate | null => {
  const worker = node?.worker ?? null
  const { cell, key } = fromCellKey(tag)
  if (worker === null || !worker.tags.includes(key) || !worker.cells.includes(cell)) return null
  const { concurrency, running } = worker
  const taken = running + more.hintedJobs
  const load = taken / Math.max(concurrency, 1)
  return { ...more, reach: reachOf(worker), room: concurrency - taken, load }
}

/** Puts a worker first that claimed in the commit that queued the jobs, because it already has them. */
const asFirst = (candidate: Candidate | null): Candidate | null =>
  candidate === null ? null : { ...candidate, load: -1 }

/** Creates the handout of one node. */
export const createHandout = ({ links, describe, now }: HandoutOptions): Handout => {
  const hinted = new WeakMap<Link, Hinted>()
  let turn = 0

  const hintedOf = (link: Link): Hinted => {
    const known = hinted.get(link) ?? { jobs: 0, since: now(), turn: 0 }
    hinted.set(link, known)
    if (now() - known.since >= COUNTS_FOR_MS) {
      known.jobs = 0
      known.since = now()
    }
    return known
  }
  const count = (link: Link, jobs: number): void => {
    turn += 1
    const known = hintedOf(link)
    known.turn = turn
    known.jobs += jobs
  }

  const own = (tag: string): Candidate | null =>
    toCandidate(describe(), tag, { link: null, hintedJobs: 0, hintedAt: 0 })
  const behind = (link: Link, tag: string): Candidate | null => {
    const { jobs, turn: hintedAt } = hintedOf(link)
    return toCandidate(link.peer()?.node, tag, { link, hintedJobs: jobs, hintedAt })
  }

  const choose = (candidates: readonly (Candidate | null)[], jobs: number) => {
    const fit = candidates.filter((candidate) => candidate !== null)
    const chosen = chooseWorkers(fit, jobs)
    for (const { link, room } of chosen) {
      if (link !== null) count(link, Math.min(jobs, Math.max(room, 1)))
    }
    return chosen
  }
  const linksOf = (chosen: readonly Candidate[]): readonly Link[] =>
    chosen.flatMap(({ link }) => link ?? [])

  /** Returns the server that was used longest ago. */
  const oneServer = (): readonly Link[] => {
    const servers = [...links()].filter((link) => link.peer()?.node.serves === true)
    const [first] = servers.toSorted((one, other) => hintedOf(one).turn - hintedOf(other).turn)
    if (first === undefined) return []
    count(first, 0)
    return [first]
  }

  return {
    ofOwn: (tag, jobs) => {
      const mine = own(tag)
      const others = [...links()].map((link) => behind(link, tag))
      const isAlone = mine === null && others.every((other) => other === null)
      // workers have not yet connected to a server that started a moment ago
      if (!describe().serves || isAlone) {
        return { links: oneServer(), isTaken: mine !== null && mine.room >= jobs }
      }
      return { links: linksOf(choose([asFirst(mine), ...others], jobs)), isTaken: false }
    },
    ofOther: (from, { tag, jobs, isTaken }) => {
      const mine = own(tag)
      const isFromServer = from.peer()?.node.serves === true
      if (!describe().serves || (isFromServer && mine !== null)) return { links: [], isOwn: true }
      const sender = isTaken ? asFirst(behind(from, tag)) : null
      // other servers choose their own workers
      const others = [...links()]
        .filter((link) => link !== from && link.peer()?.node.serves === false)
        .map((link) => behind(link, tag))
      const taken = sender === null ? null : { ...sender, room: jobs }
      const chosen = choose([taken, mine, ...others], jobs)
      return {
        links: linksOf(chosen).filter((link) => link !== from),
        isOwn: chosen.some(({ link }) => link === null),
      }
    },
  }
}
